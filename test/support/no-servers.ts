// Suites that ask for a private server fail, and those that can do without the shared ones skip what needs them.
process.env.TEST_SERVERS = 'none';
