SELECT (SELECT application_id FROM pragma_application_id),
    (SELECT count(*) FROM sqlite_schema),
    (SELECT count(*) FROM sqlite_schema WHERE name = 'goose_db_version')
