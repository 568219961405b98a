/** The part of two packages without types that bench/ uses. */

declare module 'pg-copy-streams' {
  import type { Writable } from 'node:stream'
  import type { Submittable } from 'pg'

  /** COPY … FROM STDIN: hand it to `client.query`, then write the rows into it. */
  export function from(statement: string): Writable & Submittable
}

declare module 'cli-progress' {
  export interface Options {
    format?: string
    etaBuffer?: number
  }
  export const Presets: { shades_classic: object }
  export class SingleBar {
    constructor(options: Options, preset: object)
    start(total: number, value: number, payload?: Record<string, string>): void
    increment(by: number): void
    stop(): void
  }
}

declare module 'autocannon' {
  export interface Result {
    requests: { average: number; total: number }
    latency: { p50: number; p99: number }
    errors: number
    non2xx: number
  }
  export default function autocannon(options: {
    url: string
    connections: number
    duration?: number
    /** Requests in all, instead. */
    amount?: number
    headers?: Record<string, string>
    /** Sent in turn; `setupRequest` may change each before it goes. */
    requests?: { method: string; setupRequest?: (request: object) => object }[]
  }): Promise<Result>
}
