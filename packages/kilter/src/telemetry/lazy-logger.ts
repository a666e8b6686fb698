import type { Logger } from './logger.ts';

/** A logger that is made with the first line: most runs write none. */
export function lazyLogger(make: () => Logger): Logger {
  let made: Logger | undefined;
  const logger = (): Logger => (made ??= make());
  return {
    debug: (...line: [object, string?]) => logger().debug(...line),
    info: (...line: [object, string?]) => logger().info(...line),
    warn: (...line: [object, string?]) => logger().warn(...line),
    error: (...line: [object, string?]) => logger().error(...line),
    child: (fields: object) => logger().child(fields),
    isLevelEnabled: (level: string) => logger().isLevelEnabled?.(level) ?? true,
  } as Logger;
}
