/** For who lost the secret of their ratings: begins with another one, from the day on which that may be. */
import { useQuery } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import { FormError } from '#app/kit/forms/form-error.tsx'
import { useForm } from '#app/kit/forms/use-form.ts'
import { useSessionKey } from '#app/kit/session/session.data.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { dateText } from '#app/kit/ui/date-text.ts'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import type { CredentialContract } from '../credential.contract.ts'
import { replaceLostSecret } from '../issuing.data.ts'
import { secretProblem } from '../issuing-problem.data.ts'
import { ownCredentialQuery } from '../own-credential.data.ts'

export function LostSecretForm({ onClose, onBegun }: LostSecretFormProps) {
  const api = useApi<CredentialContract>()
  const who = useSessionKey()
  const { data, isError, refetch } = useQuery(ownCredentialQuery(api, who))
  const { form, errors, isBusy } = useForm({
    send: async () => {
      try {
        await replaceLostSecret(api, who)
      } catch (error) {
        return { form: secretProblem(error) }
      }
      await onBegun()
    },
  })
  if (!data && isError)
    return <LoadErrorLine text="What is kept for you did not load." onRetry={refetch} />
  if (!data) return <Skeleton className="h-32 w-full rounded-lg" />
  const { anewFrom } = data
  // The server looks again: clocks of browsers are wrong.
  const mayBegin = anewFrom === null || anewFrom <= new Date().toISOString().slice(0, 10)
  return (
    <form {...form} className="grid gap-5">
      <FormError>{errors.form}</FormError>
      <div className="grid gap-3 text-sm leading-6 text-ink-soft">
        {mayBegin ? (
          <p>
            This device makes another secret, and you rate with that from now on. The one of before
            does not count any more, even if you find it. You can do this once in half a year.
          </p>
        ) : (
          <p>
            {'You can begin anew from '}
            <strong className="font-semibold text-ink">{dateText(anewFrom)}</strong>
            {
              ' on, and this device cannot rate before. It is once in half a year, so that nobody rates with one secret after another.'
            }
          </p>
        )}
        <p>So look first for the twelve words, or for a device that you rated with.</p>
      </div>
      <div className="flex flex-col-reverse gap-3 md:flex-row md:justify-end">
        <Button variant="secondary" onClick={onClose}>
          {mayBegin ? 'Cancel' : 'Close'}
        </Button>
        {mayBegin && (
          <Button type="submit" variant="danger" busy={isBusy} busyLabel="Beginning...">
            Begin anew
          </Button>
        )}
      </div>
    </form>
  )
}

interface LostSecretFormProps {
  onClose: () => void
  /** Waited for. */
  onBegun: () => Promise<void>
}
