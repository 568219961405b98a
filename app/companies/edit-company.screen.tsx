/**
 * Changes a company's facts: administrators' changes apply immediately, members' are suggestions. Spec §2.1,
 * S14.
 */

import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { ConfirmFirst } from '#app/identity/accounts/sign-in/ui/confirm-email.tsx'
import { reportError } from '#app/kit/forms/refusal.ts'
import { pageFailure } from '#app/kit/session/page-failure.tsx'
import { askToSignIn, useIsKnown, useSession } from '#app/kit/session/session.data.ts'
import { PageHead } from '#app/kit/session/site.tsx'
import { useAddress } from '#app/kit/ui/address.ts'
import { Badge, type BadgeTone } from '#app/kit/ui/badge.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { dateText } from '#app/kit/ui/format.ts'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'
import { LoadErrorLine, NeedsScripts } from '#app/kit/ui/message.tsx'
import { MoreButton } from '#app/kit/ui/paged-list.tsx'
import { Loading, Skeleton } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import type { CompanyContract, CompanyPageView } from './company.contract.ts'
import { companyQuery } from './company.data.ts'
import { companyPath } from './company.ts'
import { EDIT_FIELD_NAMES, EDIT_STATE_NAMES, type EditState } from './edits/company-edit.ts'
import type { Edit, EditContract } from './edits/edit-company.contract.ts'
import { editsQuery, invalidateEdits } from './edits/edit-company.data.ts'
import { ChangeList } from './edits/ui/change-list.tsx'
import { CompanyForm } from './edits/ui/company-form.tsx'
import { CompanyLogo } from './logos/ui/company-logo.tsx'
import { LogoButtons } from './logos/ui/logo-buttons.tsx'

/** Only administrators load these parts. */
const SuggestedEdits = lazyComponent(() =>
  import('./edits/ui/suggested-edits.tsx').then((it) => it.SuggestedEdits),
)
const CompanyMerge = lazyComponent(() =>
  import('./merging/ui/company-merge.tsx').then((it) => it.CompanyMerge),
)
const CompanyDeletion = lazyComponent(() =>
  import('./deletion/ui/delete-company.tsx').then((it) => it.CompanyDeletion),
)

export default function EditCompanyScreen({ companyId = '' }: { companyId?: string }) {
  const api = useApi<CompanyContract>()
  // Changes must start from the current values.
  const query = useQuery({
    ...companyQuery(api, companyId),
    refetchOnMount: 'always',
  })
  const failure = pageFailure(query)
  if (failure) return failure
  return query.data ? <EditPage company={query.data} /> : <EditSkeleton />
}

function EditPage({ company }: { company: CompanyPageView }) {
  const { status, me } = useSession()
  const isEditor = me?.can.includes('editCompanies') ?? false
  return (
    <div className="mx-auto w-full max-w-5xl px-5 py-8 md:py-12">
      <PageHead title={`Edit ${company.name}`} text="Change the facts about a company." />
      <p className="text-sm">
        <a
          href={companyPath(company)}
          className="inline-flex min-h-8 items-center text-ink-soft underline decoration-line-strong underline-offset-4 hover:text-ink"
        >
          {`Back to ${company.name}`}
        </a>
      </p>
      <h1 className="mt-2 font-serif text-4xl leading-tight font-medium tracking-tight text-balance md:text-5xl">
        {`Edit ${company.name}`}
      </h1>
      <p className="mt-3 max-w-prose text-ink-soft">
        {isEditor
          ? 'Your changes apply right away and show in the history.'
          : 'An administrator will review your suggestion. No one else will learn it was you.'}
      </p>
      <div className="mt-8 grid gap-10">
        {isEditor && <SuggestedEdits companyId={company.id} />}
        {status === 'loading' && <Skeleton className="min-h-svh w-full rounded-xl" />}
        {status === 'signed-out' && <SignIn />}
        {status === 'signed-in' && (
          <>
            {me && !me.isEmailConfirmed && (
              <ConfirmFirst me={me}>Then you can suggest a change.</ConfirmFirst>
            )}
            <CompanyForm key={company.id} company={company} isEditor={isEditor} />
            <LogoEditor company={company} isEditor={isEditor} />
          </>
        )}
        <EditHistory companyId={company.id} />
        {me?.can.includes('deleteCompanies') && (
          <>
            <CompanyMerge company={company} />
            <CompanyDeletion company={company} />
          </>
        )}
      </div>
    </div>
  )
}

function SignIn() {
  const { path } = useAddress()
  return (
    // The server can't know the session. `known` hides this until the browser knows it, and keeps space for the
    // form.
    <Box className="known:invisible known:min-h-svh">
      <p>Log in to suggest a change.</p>
      <div className="mt-4 flex flex-wrap gap-3 no-js:hidden">
        <Button onClick={() => askToSignIn({ view: 'login', redirect: path })}>Log in</Button>
        <Button variant="secondary" onClick={() => askToSignIn({ view: 'signup', redirect: path })}>
          Sign up
        </Button>
      </div>
      <NeedsScripts className="mt-2">Logging in needs JavaScript.</NeedsScripts>
    </Box>
  )
}

const Box = ({ className = '', children }: { className?: string; children: ReactNode }) => (
  <div className={`rounded-xl border border-line bg-surface p-5 ${className}`}>{children}</div>
)

const EditSkeleton = () => (
  <Loading className="mx-auto w-full max-w-5xl px-5 py-8 md:py-12">
    <Skeleton className="h-12 w-2/3" />
    <Skeleton className="mt-10 h-96 w-full rounded-xl" />
  </Loading>
)

interface LogoEditorProps {
  company: CompanyPageView
  isEditor: boolean
}

function LogoEditor({ company, isEditor }: LogoEditorProps) {
  return (
    <section aria-labelledby="logo" className="rounded-xl border border-line bg-surface p-4 md:p-5">
      <h2 id="logo" className="text-sm font-semibold">
        Logo
      </h2>
      <div className="mt-3 flex items-start gap-4">
        <CompanyLogo
          key={company.logoUrl}
          name={company.name}
          logoUrl={company.logoUrl}
          className="size-16"
        />
        {isEditor ? (
          <LogoButtons company={company} />
        ) : (
          <p className="text-sm leading-6 text-ink-soft">
            For now, only administrators can change logos.
          </p>
        )}
      </div>
    </section>
  )
}

const TONES: Record<EditState, BadgeTone> = {
  suggested: 'tea',
  applied: 'leaf',
  declined: 'quiet',
  reverted: 'quiet',
}

/** Never shows who made a change. */
function EditHistory({ companyId }: { companyId: string }) {
  const api = useApi<EditContract>()
  const isKnown = useIsKnown()
  const list = useInfiniteQuery({ ...editsQuery(api, companyId), enabled: isKnown })
  const edits = list.data?.pages.flatMap((page) => page.edits) ?? []
  return (
    <section aria-labelledby="edit-history" className="no-js:hidden">
      <h2 id="edit-history" className="font-serif text-2xl font-medium tracking-tight">
        History
      </h2>
      {list.isError ? (
        <LoadErrorLine text="Couldn’t load the history." onRetry={list.refetch} />
      ) : (
        <p className="text-ink-soft not-empty:mt-3" role="status">
          {!list.data && 'Loading...'}
          {list.data && edits.length === 0 && 'No changes yet.'}
        </p>
      )}
      <ul className="mt-4 grid gap-4">
        {edits.map((edit) => (
          <li key={edit.id} className="border-l-2 border-line pl-4">
            <PastEdit edit={edit} />
          </li>
        ))}
      </ul>
      <MoreButton list={list} className="mt-4" />
    </section>
  )
}

function PastEdit({ edit }: { edit: Edit }) {
  const { me } = useSession()
  const canRevert = edit.canTakeBack && me?.can.includes('editCompanies')
  const isMerge = edit.fields.includes('merged')
  const names = edit.fields.map((field) => EDIT_FIELD_NAMES[field as 'name'])
  return (
    <>
      <p className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-faint">
        <time dateTime={edit.madeOn}>{dateText(edit.madeOn)}</time>
        {edit.isMine ? 'You' : edit.by === 'member' ? 'A member' : 'An administrator'}
        <Badge tone={TONES[edit.state]}>{EDIT_STATE_NAMES[edit.state]}</Badge>
        {edit.formerly && <span dir="auto">{`When it was called ${edit.formerly}`}</span>}
      </p>
      {edit.changes ? (
        <ChangeList changes={edit.changes} />
      ) : (
        <p className="text-sm text-ink-soft">
          {`${names.join(', ')}. We’ll show the details once it’s accepted.`}
        </p>
      )}
      {canRevert && isMerge && (
        <p className="mt-3 max-w-prose text-sm leading-6 text-ink-soft">
          You can undo this for a day. Anything added since stays here. Comments go with their
          threads.
        </p>
      )}
      {canRevert && <Revert id={edit.id} what={names.join(', ')} isMerge={isMerge} />}
    </>
  )
}

function Revert({ id, what, isMerge }: { id: number; what: string; isMerge: boolean }) {
  const api = useApi<EditContract>()
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const revert = async () => {
    setBusy(true)
    try {
      await api('POST /api/v1/company-edits/{id}/revert', { params: { id } })
      toast({ title: isMerge ? 'Two companies again' : 'Change undone' })
    } catch (error) {
      reportError('Couldn’t undo')(error)
    }
    await invalidateEdits(queryClient)
    setBusy(false)
  }
  return (
    <Button
      size="sm"
      variant="secondary"
      className="mt-3"
      busy={isBusy}
      onClick={revert}
      aria-label={isMerge ? undefined : `Undo: ${what}`}
    >
      {isMerge ? 'Undo the merge' : 'Undo'}
    </Button>
  )
}
