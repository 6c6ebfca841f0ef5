import { Logger } from '@nestjs/common';

// Code that is tested without an application does not log; an application has a logger of its own.
Logger.overrideLogger(false);
