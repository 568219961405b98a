/**
 * Loaded into the site's process before the site (node --import): moves its clock, so that a town lives a
 * week in a minute. The site knows nothing of it, so no setting of it can be given in earnest. What reads
 * the wall clock and what measures how long something took move together, as if that time had passed; the
 * embedded engine in its thread reads the same clock. Timers keep the pace of the machine.
 */
import { createServer } from 'node:net'
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'

const KEY = 'moved clock'
if (isMainThread) setEnvironmentData(KEY, new SharedArrayBuffer(8))
/** By how many milliseconds this process is ahead. */
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
