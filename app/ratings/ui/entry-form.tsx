/** The form for what's given once per company and year: who may give it, its credential, and its buttons. */
import { X } from 'lucide'
import { type ReactNode, useId, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { ToConfirmFirst } from '#app/identity/accounts/sign-in/ui/confirm-email.tsx'
import type { CredentialContract } from '#app/identity/credentials/credential.contract.ts'
import { isIssuingProblem } from '#app/identity/credentials/issuing-problem.data.ts'
import { IssuingDialogs } from '#app/identity/credentials/ui/issuing-dialogs.tsx'
import { SecretElsewhereNotice } from '#app/identity/credentials/ui/secret-elsewhere.tsx'
import { FormError, type FormErrors, useForm } from '#app/kit/forms/form.tsx'
import { askToSignIn, useSession, useSessionKey } from '#app/kit/session/session.data.ts'
import { useAddress } from '#app/kit/ui/address.ts'
import { Button, IconButton } from '#app/kit/ui/button.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { DraftRestored } from '#app/kit/writing/draft-notice.tsx'
import { AnonymityLink } from '#app/kit/writing/leak-warnings.tsx'
import {
  type Contents,
  type EntryKind,
  type OwnEntry,
  saveEntry,
} from '../presented/own-entries.data.ts'
import type { RatedCompany } from '../rating.data.ts'
import { CannotRate } from './cannot-rate.tsx'
import type { useEntryDraft } from './use-entry-draft.ts'

export function EntryForm<Kind extends EntryKind, Name extends string>(
  props: EntryFormProps<Kind, Name>,
) {
  const { kind, company, formerIds, yours, text, content, badge, problems, draft, onClose } = props
  const id = useId()
  const api = useApi<CredentialContract>()
  const sessionKey = useSessionKey()
  const { status, me } = useSession()
  const { path, search } = useAddress()
  const [issuingError, setIssuingError] = useState<Error>()
  const whyNot = me?.whyNotRate
  const { form, errors, isBusy } = useForm<Name>({
    storedIn: 'browser',
    check: () => problems,
    send: async () => {
      const asked = await props.askFirst?.()
      if (asked) return asked
      if (status === 'signed-out') {
        const reason = `An account makes sure that each person gives ${yours.replace('your', 'their')} once. Your entry doesn’t say who you are.`
        askToSignIn({ view: 'signup', redirect: `${path}?${search}`, reason })
        return
      }
      try {
        await saveEntry(kind, { api, company, sessionKey, formerIds }, content, badge)
      } catch (error) {
        if (!isIssuingProblem(error)) throw error
        setIssuingError(error)
        return { form: error.message }
      }
      draft.sent()
      onClose()
    },
  })
  return (
    <div className="grid gap-4">
      {whyNot && me && <CannotRate why={whyNot} me={me} />}
      {/* Employers can't do anything about it, so they get no form. */}
      {whyNot?.code !== 'employer-not-allowed' && (
        <form {...form} aria-labelledby={id} className="rounded-xl border border-line bg-surface">
          <header className="flex items-start justify-between gap-4 px-5 pt-5 md:px-7 md:pt-6">
            <div className="min-w-0">
              <h2 id={id} className="font-serif text-2xl leading-8 font-medium tracking-tight">
                {`${yours.replace('your', 'Your')} at ${company.name}`}
              </h2>
              <p className="mt-1 text-sm leading-6 text-ink-soft">
                {`${text} `}
                <AnonymityLink />
              </p>
            </div>
            <IconButton label="Close" onClick={onClose} className="-mt-1 -mr-2">
              <Icon of={X} />
            </IconButton>
          </header>
          <div className="grid gap-6 px-5 py-5 md:px-7 md:py-6">
            {!whyNot && <SecretElsewhereNotice />}
            <DraftRestored
              draft={draft}
              isBlank={draft.isBlank}
              text="Not sent yet. What you typed is still here."
              onDiscard={draft.startOver}
            />
            {props.children((name) => errors[name] && problems[name])}
            <IssuingDialogs error={issuingError} onClose={() => setIssuingError(undefined)} />
            <FormError>{errors.form}</FormError>
            <div className="flex flex-wrap items-center gap-3">
              {whyNot?.code === 'unconfirmed' ? (
                <ToConfirmFirst />
              ) : (
                <Button type="submit" size="lg" busy={isBusy} busyLabel="Saving...">
                  Save
                </Button>
              )}
              <Button variant="ghost" size="lg" onClick={onClose}>
                Cancel
              </Button>
            </div>
          </div>
        </form>
      )}
    </div>
  )
}

/** What a kind's form gets. */
export interface EntryFormParts<Kind extends EntryKind> {
  company: RatedCompany
  formerIds: string[]
  /** What this browser gave at this company, to change it. */
  own: OwnEntry<Kind>[]
  onClose: () => void
}

interface EntryFormProps<Kind extends EntryKind, Name extends string>
  extends Omit<EntryFormParts<Kind>, 'own'> {
  kind: Kind
  /** Such as "your pay". */
  yours: string
  /** How it's kept and shown. */
  text: string
  content: Contents[Kind]
  badge?: { domain: string } | undefined
  problems: FormErrors<Name>
  draft: ReturnType<typeof useEntryDraft>
  /** A question that the person answers by pressing the button again. */
  askFirst?: () => Promise<{ form: string } | undefined>
  /** @param shown the problem of a field, once it was sent with it */
  children: (shown: (name: Name) => string | undefined) => ReactNode
}
