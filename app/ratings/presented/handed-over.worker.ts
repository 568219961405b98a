/** What the browser runs once it is online, with or without a page: it sends what was handed over, each at its moment. */
import {
  allHandedOver,
  alone,
  forgetHandedOver,
  type HandedOver,
  handedOver,
  isRefusal,
  keepHandedOver,
  sendHeld,
} from './held-request.data.ts'

/** A page that is open goes first. */
const GRACE_MS = 5_000

/** What does not arrive now, the browser tries again. @throws ApiError */
async function sendHandedOver(): Promise<void> {
  const [next] = (await allHandedOver())
    .filter(({ answer }) => !answer)
    .sort((one, other) => one.dueAt - other.dueAt)
  if (!next) return
  const wait = next.dueAt + GRACE_MS - Date.now()
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
  await alone(async () => {
    // A page has sent it meanwhile, or another one took its place.
    const now = await handedOver(next.request.params.id)
    if (now?.dueAt === next.dueAt && !now.answer) await sendOne(now)
  })
  return sendHandedOver()
}

async function sendOne(handed: HandedOver) {
  try {
    await keepHandedOver({ ...handed, answer: await sendHeld(handed.request) })
  } catch (error) {
    if (!isRefusal(error)) throw error
    // The next page sends it once more, and says why it is refused.
    await forgetHandedOver(handed.request.params.id)
  }
}

interface SyncEvent extends Event {
  waitUntil(work: Promise<void>): void
}

self.addEventListener('sync', (event) => (event as SyncEvent).waitUntil(sendHandedOver()))
