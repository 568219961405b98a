/** Runs in one tab at a time, or in a worker. Browsers without locks run it at once. */
export const inOneTab = <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
  globalThis.navigator?.locks ? navigator.locks.request(name, work) : work()
