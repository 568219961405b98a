/**
 * Loaded into the site's process before the site (node --import): moves its clock, so that a town lives a week in a minute.
 * The site itself knows nothing about this, so no setting can turn it on in production. Wall clocks and monotonic clocks
 * move together, as if that time had passed, and so does the embedded engine in its thread. Timers run at the machine's
 * pace.
 */
import { createServer } from 'node:net'
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'

const KEY = 'moved clock'
if (isMainThread) setEnvironmentData(KEY, new SharedArrayBuffer(8))
/** How many milliseconds this process is ahead. */
const ahead = new Float64Array(getEnvironmentData(KEY))

const RealDate = Date
const realNow = RealDate.now
const realSteady = performance.now.bind(performance)
const now = () => realNow() + ahead[0]

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, asked) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, asked),
  get: (target, name, asked) => (name === 'now' ? now : Reflect.get(target, name, asked)),
})
performance.now = () => realSteady() + ahead[0]

if (isMainThread) {
  const moveTo = (moment) => {
    ahead[0] = moment - realNow()
  }
  moveTo(Number(process.env.CLOCK_STARTS_AT))
  createServer((line) => {
    line.setEncoding('utf8').on('data', (text) => {
      for (const moment of text.trim().split('\n')) moveTo(Number(moment))
      line.write('moved\n')
    })
    line.on('error', () => {})
    line.unref()
  })
    .listen(process.env.CLOCK_SOCKET)
    .unref()
}
