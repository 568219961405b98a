/** Requests a missing company. Visitors can, too. Spec §2.8, §4. */
import { Check } from 'lucide'
import { useEffect, useId, useRef, useState } from 'react'
import { type Client, useApi } from '#app/api/client.ts'
import { EmailField } from '#app/identity/accounts/sign-in/ui/email-field.tsx'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { useSession } from '#app/kit/session/session.data.ts'
import { Button, CancelButton } from '#app/kit/ui/button.tsx'
import { Dialog, useOpenCount } from '#app/kit/ui/dialog.tsx'
import { Checkbox, TextField } from '#app/kit/ui/field.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { markSaved } from '#app/kit/ui/unsaved-guard.ts'
import { lengthOf } from '#app/kit/writing/text.ts'
import { CompaniesLike } from '../../edits/ui/companies-like.tsx'
import {
  EMPTY_REQUEST,
  REQUEST_NAME_MAX,
  REQUEST_PANEL_MS,
  REQUEST_TEXTS,
  REQUEST_TOASTS,
  requestProblems,
} from '../company-request.ts'
import type { RequestContract } from '../request.contract.ts'
import { rememberedEmail, requestCompany } from '../request.data.ts'

type RequestDialogProps = OpenProps & {
  /** Prefilled, after a search without results. */
  companyName?: string
}

export function RequestDialog({ open, onOpenChange, companyName = '' }: RequestDialogProps) {
  const formId = useId()
  // Each time it opens, the form is empty, no matter what an earlier round still receives.
  const openCount = useOpenCount(open)
  const [busyOpening, setBusyOpening] = useState<number>()
  const [sentOpening, setSentOpening] = useState<number>()
  const isSent = sentOpening === openCount
  const isPanelShown = open && isSent
  useEffect(() => {
    if (!isPanelShown) return
    const timer = setTimeout(() => onOpenChange(false), REQUEST_PANEL_MS)
    return () => clearTimeout(timer)
  }, [isPanelShown, onOpenChange])

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={isSent ? REQUEST_TEXTS.sentTitle : REQUEST_TEXTS.title}
      description={isSent ? undefined : REQUEST_TEXTS.text}
      footer={
        !isSent && (
          <>
            <CancelButton onCancel={() => onOpenChange(false)}>{REQUEST_TEXTS.cancel}</CancelButton>
            <Button
              type="submit"
              form={formId}
              busy={busyOpening === openCount}
              busyLabel={REQUEST_TEXTS.submitting}
            >
              {REQUEST_TEXTS.submit}
            </Button>
          </>
        )
      }
    >
      {isSent ? (
        <SentPanel />
      ) : (
        <RequestForm
          key={openCount}
          id={formId}
          companyName={companyName}
          onLeave={() => onOpenChange(false)}
          onBusy={(isBusy) => setBusyOpening(isBusy ? openCount : undefined)}
          onSent={() => setSentOpening(openCount)}
        />
      )}
    </Dialog>
  )
}

/** Takes the focus, because the form is gone, so screen readers read it out. */
function SentPanel() {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => panel.current?.focus(), [])
  return (
    <div
      ref={panel}
      tabIndex={-1}
      role="status"
      className="flex items-start gap-4 rounded-lg bg-leaf-soft p-4 outline-none"
    >
      <span className="inline-flex size-9 shrink-0 items-center justify-center rounded-full bg-leaf text-surface">
        <Icon of={Check} className="size-5" />
      </span>
      <p className="self-center text-[0.9375rem] leading-6 text-ink">{REQUEST_TEXTS.sentText}</p>
    </div>
  )
}

interface RequestFormProps {
  id: string
  companyName: string
  /** Follows a link to an existing company. */
  onLeave: () => void
  onBusy: (isBusy: boolean) => void
  onSent: () => void
}

function RequestForm({ id, companyName, onLeave, onBusy, onSent }: RequestFormProps) {
  const api: Client<RequestContract> = useApi()
  const isSignedIn = useSession().status !== 'signed-out'
  const [draft, setDraft] = useState(() => ({
    ...EMPTY_REQUEST,
    companyName,
    notifyEmail: rememberedEmail(),
  }))
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const { form, errors } = useForm<'companyName' | 'companyWebsite' | 'notifyEmail'>({
    // Closing the dialog empties it (Spec §2.8), so we don't ask first.
    storedIn: 'window',
    check: () => {
      const problems = requestProblems(draft, { isSignedIn })
      const announced = [problems.companyName, problems.notifyEmail].find(
        (problem) => problem === REQUEST_TOASTS.noName || problem === REQUEST_TOASTS.noEmail,
      )
      if (announced) toast({ id: 'company-request', title: announced, variant: 'destructive' })
      return problems
    },
    send: async () => {
      onBusy(true)
      try {
        await requestCompany(api, draft, { isSignedIn })
      } catch (error) {
        toast({
          id: 'company-request',
          title: REQUEST_TOASTS.failed,
          variant: 'destructive',
        })
        throw error
      } finally {
        onBusy(false)
      }
      toast({ id: 'company-request', title: REQUEST_TOASTS.sent })
      onSent()
    },
  })
  const name = draft.companyName.trim()
  return (
    <form id={id} {...form} className="grid gap-4 md:gap-5">
      <FormError>{errors.form}</FormError>
      <TextField
        label={REQUEST_TEXTS.name}
        name="companyName"
        autoComplete="organization"
        required
        value={draft.companyName}
        onChange={(event) => change({ companyName: event.target.value })}
        error={
          errors.companyName ??
          (lengthOf(name) > REQUEST_NAME_MAX
            ? requestProblems(draft, { isSignedIn }).companyName
            : undefined)
        }
      />
      <CompaniesLike
        text={name}
        onFollow={() => {
          if (form.ref.current) markSaved(form.ref.current)
          onLeave()
        }}
        className="-mt-2 min-h-5 text-sm text-ink-soft md:-mt-3"
      >
        {(links) => <>Already here: {links}.</>}
      </CompaniesLike>
      <TextField
        label={REQUEST_TEXTS.website}
        name="companyWebsite"
        type="url"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="https://example.com"
        value={draft.companyWebsite}
        onChange={(event) => change({ companyWebsite: event.target.value })}
        error={errors.companyWebsite}
      />
      <Checkbox
        label={REQUEST_TEXTS.notify}
        name="isNotify"
        checked={draft.isNotify}
        onChange={(event) => change({ isNotify: event.target.checked })}
        hint={draft.isNotify && isSignedIn ? 'We’ll email your account’s address.' : undefined}
      />
      {draft.isNotify && !isSignedIn && (
        <EmailField
          label={REQUEST_TEXTS.email}
          name="notifyEmail"
          hint="For this one email. We keep it encrypted, and this browser remembers it."
          value={draft.notifyEmail}
          onValue={(notifyEmail) => change({ notifyEmail })}
          error={errors.notifyEmail}
        />
      )}
    </form>
  )
}
