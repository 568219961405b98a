/** Changes a company's facts: administrators at once, members by suggestion. Spec §2.1, S14. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useApi } from '#app/api/client.ts'
import { Nowhere } from '#app/kit/session/nowhere.ts'
import { askToSignIn, useSession } from '#app/kit/session/session.data.ts'
import { PageHead } from '#app/kit/session/site.tsx'
import { useAddress } from '#app/kit/ui/address.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'
import { LoadError } from '#app/kit/ui/message.tsx'
import { Loading, Skeleton } from '#app/kit/ui/skeleton.tsx'
import type { CompanyContract, CompanyPageView } from './company.contract.ts'
import { companyQuery } from './company.data.ts'
import { companyPath } from './company.ts'
import { CompanyForm } from './edits/ui/company-form.tsx'
import { EditHistory } from './edits/ui/edit-history.tsx'
import { CompanyLogo } from './logos/ui/company-logo.tsx'
import { LogoButtons } from './logos/ui/logo-buttons.tsx'

/** For administrators. */
const SuggestedEdits = lazyComponent(() =>
  import('./edits/ui/suggested-edits.tsx').then((it) => it.SuggestedEdits),
)
const CompanyMerge = lazyComponent(() =>
  import('./merging/ui/company-merge.tsx').then((it) => it.CompanyMerge),
)
const CompanyDeletion = lazyComponent(() =>
  import('./deletion/ui/company-deletion.tsx').then((it) => it.CompanyDeletion),
)

export default function EditCompanyScreen({ companyId = '' }: { companyId?: string }) {
  const api = useApi<CompanyContract>()
  // Changes must start from the current values.
  const { data, error, refetch } = useQuery({
    ...companyQuery(api, companyId),
    refetchOnMount: 'always',
  })
  if ((error as { status?: number } | null)?.status === 404) return <Nowhere />
  if (data) return <EditPage company={data} />
  if (!error) return <EditSkeleton />
  return <LoadError isPage text={error.message} onRetry={refetch} />
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
          ? 'Your changes apply at once and show in the history.'
          : 'An administrator reviews what you suggest. No one else learns it was you.'}
      </p>
      <div className="mt-8 grid gap-10">
        {isEditor && <SuggestedEdits companyId={company.id} />}
        {status === 'loading' && <Skeleton className="min-h-svh w-full rounded-xl" />}
        {status === 'signed-out' && <SignIn />}
        {status === 'signed-in' && (
          <>
            {me && !me.isEmailConfirmed && <ConfirmFirst />}
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
    // The server can't know the session: `known` hides this until the browser does, and keeps the form's space.
    <Box className="known:invisible known:min-h-svh">
      <p>Log in to suggest a change.</p>
      <div className="mt-4 flex flex-wrap gap-3 no-js:hidden">
        <Button onClick={() => askToSignIn({ view: 'login', redirect: path })}>Log in</Button>
        <Button variant="secondary" onClick={() => askToSignIn({ view: 'signup', redirect: path })}>
          Sign up
        </Button>
      </div>
      <p className="mt-2 text-sm text-ink-faint js:hidden">Logging in needs JavaScript.</p>
    </Box>
  )
}

const ConfirmFirst = () => (
  <Box>
    <p>Confirm your email first to suggest a change. We’ve sent you a link.</p>
  </Box>
)

const Box = ({ className = '', children }: { className?: string; children: ReactNode }) => (
  <div className={`rounded-xl border border-line bg-surface p-5 ${className}`}>{children}</div>
)

const EditSkeleton = () => (
  <Loading className="mx-auto w-full max-w-5xl px-5 py-8 md:py-12">
    <Skeleton className="h-12 w-2/3" />
    <Skeleton className="mt-10 h-96 w-full rounded-xl" />
  </Loading>
)

/** S19. */
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
