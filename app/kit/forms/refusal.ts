/** What the API said to a request that failed, as a sentence for the person. */
import { isRefused } from '#app/api/client.ts'
import { toast } from '../ui/toast.ts'

/** Where nobody said why. Spec §8. */
export const TRY_AGAIN = 'Something went wrong. Please try again.'

/** Its own sentence for a refusal; ours where it broke, or nobody answered. */
export function refusalOf(error: unknown): string {
  const { message } = error as { message?: string }
  return (isRefused(error) && message) || TRY_AGAIN
}

/** The same for a form, which still holds what was written. */
export function sendingProblem(error: unknown): string {
  const { status = 0, message } = error as { status?: number; message?: string }
  if (isRefused(error) && message) return message
  const what = status === 0 ? 'We could not be reached.' : 'Something went wrong.'
  return `${what} What you wrote is still here. Please try again.`
}

/** Says what did not work; what was shown too early has been taken back already. */
export const reportError = (title: string) => (error: unknown) => {
  toast({ title, description: refusalOf(error), variant: 'destructive' })
}
