/** One tab does it at a time, or a worker without a page: the next one finds it done. A browser without locks does it at once. */
export const inOneTab = <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
  globalThis.navigator?.locks ? navigator.locks.request(name, work) : work()
