"""What depyf says of a session, compared fact by fact with what torch itself has recorded."""
