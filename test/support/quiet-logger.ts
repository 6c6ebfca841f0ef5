import { Logger } from '@nestjs/common';

// What is tested without an application has no log of its own; an application brings one along.
Logger.overrideLogger(false);
