CREATE TEMPORARY TABLE incoming_observations (LIKE observations) ON COMMIT DROP
