/** What a page gives its browser to send, in case it is closed too soon. Where a browser can't, it goes on the next visit. */
import type { Rated } from '#app/identity/credentials/rated.ts'
import workerUrl from './handed-over.worker.ts?worker&url'
import { canHandOver, type HeldRequest, handedOver, keepHandedOver } from './held-request.data.ts'

/** @param request makes it; undefined where there is nothing to send @returns whether it waits for a worker now */
export async function handOver(
  companyId: string,
  { dueAt }: Pick<Rated, 'dueAt'>,
  request: () => Promise<HeldRequest | undefined>,
) {
  if (!canHandOver() || !dueAt || (await handedOver(companyId))?.dueAt === dueAt) return false
  const made = await request()
  if (made) await keepHandedOver({ request: made, dueAt })
  return made !== undefined
}

/** The browser runs the worker once it is online. Not while others wait: how long this takes, the browser says. */
export async function registerWorker() {
  const registration = await navigator.serviceWorker.register(workerUrl, { type: 'module' })
  const coming = registration.installing ?? registration.waiting
  if (!registration.active && coming)
    await new Promise<void>((resolve) =>
      coming.addEventListener('statechange', () => registration.active && resolve()),
    )
  await (registration as WithSync).sync.register('rating')
}

/** Not in every browser, and not in TypeScript's list of what browsers have. */
interface WithSync extends ServiceWorkerRegistration {
  sync: { register(tag: string): Promise<void> }
}
