package explain

// What tests outside of the package need of it.
var ReadRecords = readRecords
