"""Checks: rules that look at a document and yield findings; they change nothing."""

from __future__ import annotations

from annotator.domain.checks.document import check_document
from annotator.domain.checks.finding import Finding, Severity

__all__ = ["Finding", "Severity", "check_document"]
