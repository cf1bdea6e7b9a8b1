"""The checker: search, decisions, evidence and the machines it runs on. The mathematics is in the packages beside it."""
