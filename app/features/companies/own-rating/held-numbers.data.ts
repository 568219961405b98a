/** One's own numbers where ratings name nobody: by a key, and with what this browser has not sent yet. */
import { apartTransport, createClient } from '../../../api/client.ts'
import { holderKeys } from '../../credentials/holder-keys.data.ts'
import { ratedBy } from '../../credentials/rated.data.ts'
import { tenthsOf } from '../company.ts'
import type { HeldNumbersContract, WaitingRating } from './own-rating.contract.ts'

const apart = createClient<HeldNumbersContract>(apartTransport)

/** Undefined where what is public is what one gave. Each company is a request of its own: none ties two together. */
export async function askHeldNumbers(
  who: string,
  companyId: string,
): Promise<WaitingRating | undefined> {
  const { formerIds = [], outgoing } = ratedBy(who)[companyId] ?? {}
  const keys = holderKeys(who, [companyId, ...formerIds])
  if (!keys) return
  const { isWaiting, month, weight, ...held } = await apart(
    'POST /api/v1/companies/{id}/held-rating/numbers',
    { params: { id: companyId }, body: { keys } },
  )
  if (!outgoing || outgoing.problem) return isWaiting ? held : undefined
  const { rating } = outgoing
  return { ...held, current: rating && { ...rating, tenths: tenthsOf(rating), month, weight } }
}
