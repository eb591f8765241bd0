"""Checks: rules that read a document and yield findings."""

from __future__ import annotations

from annotator.domain.checks.document_checks import check_document, check_steps
from annotator.domain.checks.finding import CheckStep, Finding, Severity

__all__ = ["CheckStep", "Finding", "Severity", "check_document", "check_steps"]
