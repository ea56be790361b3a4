"""Tests of learners and of their exact measure."""
