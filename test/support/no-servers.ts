// Suites that require a private server fail; those that can do without the shared servers skip the parts that need
// them.
process.env.TEST_SERVERS = 'none';
