/** What the API said to a request that failed, as a sentence for the person. */
import { TRY_AGAIN } from '../auth-texts.ts'

/** Its own sentence for a refusal; ours where it broke, or nobody answered. */
export function refusalOf(error: unknown): string {
  const { status = 0, message } = error as { status?: number; message?: string }
  const isRefusal = status >= 400 && status < 500
  return (isRefusal && message) || TRY_AGAIN
}
