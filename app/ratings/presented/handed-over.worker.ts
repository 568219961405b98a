/**
 * Background sync. Runs once the browser is online, with or without a page, and sends each
 * handed-over request when it's due.
 */
import {
  allHandedOver,
  forgetHandedOver,
  type HandedOver,
  handedOver,
  inOutboxTab,
  isFinal,
  keepHandedOver,
  sendRatingRequest,
} from './rating-request.data.ts'

/** An open page goes first. */
const GRACE_MS = 5_000

/** A rejection makes the browser try again. @throws ApiError */
async function sendHandedOver(): Promise<void> {
  const [next] = (await allHandedOver())
    .filter(({ answer }) => !answer)
    .sort((one, other) => one.dueAt - other.dueAt)
  if (!next) return
  const wait = next.dueAt + GRACE_MS - Date.now()
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
  await inOutboxTab(async () => {
    // A page sent or replaced it meanwhile.
    const current = await handedOver(next.subject)
    if (current?.dueAt === next.dueAt && !current.answer) await sendOne(current)
  })
  return sendHandedOver()
}

async function sendOne(handed: HandedOver) {
  try {
    await keepHandedOver({ ...handed, answer: await sendRatingRequest(handed.request) })
  } catch (error) {
    if (!isFinal(error)) throw error
    // The next page sends the rating again, and shows why it's refused.
    await forgetHandedOver(handed.subject)
  }
}

interface SyncEvent extends Event {
  waitUntil(work: Promise<void>): void
}

self.addEventListener('sync', (event) => (event as SyncEvent).waitUntil(sendHandedOver()))
