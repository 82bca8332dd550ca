# SPDX-License-Identifier: Apache-2.0
"""Django's settings, from the environment.

==================== ==========================================================
TERTIUM_DATABASE     a path (SQLite) or ``postgresql://...``
TERTIUM_SECRET_FILE  the signing key; by default beside the SQLite file
TERTIUM_HOSTS        host names served, with commas; by default this machine alone
TERTIUM_HTTPS        1 when a proxy in front speaks TLS: cookies become secure
TERTIUM_PROXY        the address that the proxy calls from, which alone is believed on
                     who is asking (X-Forwarded-For)
TERTIUM_DEBUG        1 for developers: errors on the page
==================== ==========================================================
"""

from __future__ import annotations

import os
from pathlib import Path

from django.utils.functional import lazy

from tertium.campaigns.site.database import DEFAULT, database_settings, secret_key
from tertium.campaigns.tasks import APPS

_HERE = Path(__file__).resolve().parents[1]
_address = os.environ.get("TERTIUM_DATABASE", DEFAULT)
_database = database_settings(_address)


def _secret_file() -> Path:
    if path := os.environ.get("TERTIUM_SECRET_FILE"):
        return Path(path)
    if "sqlite3" in str(_database["ENGINE"]):
        return Path(f"{_database['NAME']}.key")
    return Path("campaigns.key")


def _list(name: str, default: str) -> list[str]:
    return [part for part in os.environ.get(name, default).split(",") if part]


DEBUG = os.environ.get("TERTIUM_DEBUG") == "1"
# Made at first use: looking at the settings writes nothing.
SECRET_KEY = lazy(lambda: secret_key(_secret_file()), str)()
ALLOWED_HOSTS = _list("TERTIUM_HOSTS", "localhost,127.0.0.1,[::1]")
HTTPS = os.environ.get("TERTIUM_HTTPS") == "1"
CSRF_TRUSTED_ORIGINS = [
    f"https://{host}" for host in ALLOWED_HOSTS if HTTPS and host != "*"
]

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "tertium.campaigns",
    *APPS,
]
MIDDLEWARE = [
    "tertium.campaigns.site.headers.HeadersMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "tertium.campaigns.site.headers.CleanMiddleware",
    "tertium.campaigns.site.headers.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "tertium.campaigns.site.urls"
WSGI_APPLICATION = "tertium.campaigns.site.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "string_if_invalid": "",
        },
    }
]

DATABASES = {"default": _database}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "campaigns.Person"
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.ScryptPasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {
        "NAME": (
            "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"
        ),
        "OPTIONS": {"user_attributes": ["name"]},
    },
]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "home"

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = HTTPS
SESSION_COOKIE_NAME = "tertium_session"
CSRF_COOKIE_SECURE = HTTPS
CSRF_COOKIE_HTTPONLY = False  # the script sends the token with every draft
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "tertium.campaigns.views.errors.csrf"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
X_FRAME_OPTIONS = "DENY"
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_000_000  # a draft is a few kB; uploads go to files
FILE_UPLOAD_PERMISSIONS = 0o600

USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("cs", "Čeština"), ("fi", "Suomi"), ("de", "Deutsch")]
LANGUAGE_COOKIE_NAME = "tertium_language"
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS
LOCALE_PATHS = [_HERE / "locale"]

STATIC_URL = "/static/"
STATIC_ROOT = _HERE / "static"
# Served from the packages as they lie: nothing to collect, nothing to build.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_MAX_AGE = 3600
WHITENOISE_ALLOW_ALL_ORIGINS = False

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {
            "()": "tertium.campaigns.site.logs.PlainFormatter",
            "format": "{levelname} {name}: {message}",
            "style": "{",
        }
    },
    "filters": {"once": {"()": "tertium.campaigns.site.logs.OncePerRequest"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "plain",
            "filters": ["once"],
        }
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
}
