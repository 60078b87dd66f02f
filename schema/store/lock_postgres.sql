SELECT pg_advisory_xact_lock(hashtextextended('mtok ' || current_schema(), 0))
