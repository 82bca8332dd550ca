# SPDX-License-Identifier: Apache-2.0
"""Scripts in texts, in a real browser: they are shown, they do not run."""

from __future__ import annotations

from support.campaign_world import jsonl, write_pairs

ATTACK = (
    "<script>window.bad=1</script><img src=x onerror='window.bad=2'>"
    "<svg onload='window.bad=3'></svg>\"' autofocus onfocus='window.bad=4' x='"
)
INSERT = """() => {
  window.breaches = [];
  document.addEventListener("securitypolicyviolation",
    (event) => window.breaches.push(event.effectiveDirective));
  const script = document.createElement("script");
  script.textContent = "window.bad = 5";
  document.body.append(script);
  const image = document.createElement("div");
  image.innerHTML = "<img src='x:' onerror='window.bad = 6'>";
  document.body.append(image);
  const other = document.createElement("script");
  other.src = "https://evil.example/x.js";
  document.body.append(other);
  const frame = document.createElement("iframe");
  frame.src = "https://evil.example/";
  document.body.append(frame);
}"""


def test_no_script_of_a_text_runs(server, chromium):
    config = write_pairs(
        server.folder / "x", "first", title=f"Title {ATTACK}", instructions="guide.md"
    )
    config.with_name("guide.md").write_text(
        f"Guide\n\n{ATTACK}\n\n[x](javascript:bad=7)"
    )
    line = {
        "id": "1",
        "src": ATTACK,
        "ref": [ATTACK],
        "tgt": {"alphasys": f"{ATTACK} one", "betasys": f"{ATTACK} two"},
    }
    config.with_name("set.jsonl").write_text(jsonl([line]))
    links = server.load(config)
    server.start()
    context = chromium.new_context()
    page = context.new_page()
    page.goto(server.url + links["annotator"])
    page.get_by_role("button", name="Join").click()
    page.get_by_role("link", name="Go on").click()
    page.get_by_role("button", name="Start").click()
    page.locator("#work[data-ready]").wait_for()
    assert page.locator("label.side", has_text="<script>window.bad=1").count() == 2
    assert page.evaluate("window.bad") is None
    # Even if a hole let markup through, the policy of the page stops it.
    page.evaluate(INSERT)
    page.wait_for_function("window.breaches.length >= 4")
    breaches = set(page.evaluate("window.breaches"))
    assert breaches >= {"script-src-elem", "script-src-attr", "frame-src"}
    assert page.evaluate("window.bad") is None
    # And nobody shows the page in a frame of theirs.
    page.goto("about:blank")
    page.set_content(f'<iframe src="{server.url}/sign-in"></iframe>')
    page.wait_for_timeout(500)
    framed = page.frames[-1]
    assert framed.locator("form").count() == 0
    context.close()
