// Nothing: what importing it costs is the price of importing anything.
export {};
