/** Why a request failed, as a sentence for people. */
import { isRefused, statusOf, TRY_AGAIN } from '#app/api/client.ts'
import { toast } from '../ui/toast.ts'

/** The server's sentence if it refused or is unavailable, because those say what to do. Otherwise, ours. */
export function errorSentence(error: unknown): string {
  const { message } = error as { message?: string }
  return ((isRefused(error) || statusOf(error) === 503) && message) || TRY_AGAIN
}

/** Like `errorSentence`, for a form that still holds what was written. */
export function sendingProblem(error: unknown): string {
  const { message } = error as { message?: string }
  if (isRefused(error) && message) return message
  const what = statusOf(error) === 0 ? 'We couldn’t reach the site.' : 'Something went wrong.'
  return `${what} What you wrote is still here. Please try again.`
}

/** An error toast, replacing an open one with this id. Undo any optimistic change before calling this. */
export const reportError = (title: string, id?: string) => (error: unknown) => {
  toast({ id, title, description: errorSentence(error), variant: 'destructive' })
}
