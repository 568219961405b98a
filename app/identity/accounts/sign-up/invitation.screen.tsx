/** Where an invitation leads. Its code is in the fragment, which browsers don't send, so no log has it. */
import { askToSignIn, useSession } from '#app/kit/session/session.data.ts'
import { PageHead, useSite } from '#app/kit/session/site.tsx'
import { Button, buttonClasses } from '#app/kit/ui/button.tsx'
import { NeedsScripts } from '#app/kit/ui/message.tsx'

export default function InvitationScreen() {
  const { siteName } = useSite()
  const { status } = useSession()
  const signUp = () =>
    askToSignIn({ view: 'signup', redirect: '/', invitation: location.hash.slice(1) })
  return (
    <>
      <PageHead title="Invitation" text={`Create an account at ${siteName}.`} />
      <div className="mx-auto mt-[8svh] w-full max-w-md px-5 py-16 text-center">
        <h1 className="font-serif text-4xl leading-tight font-medium tracking-tight text-balance text-ink">
          {`You’re invited to ${siteName}`}
        </h1>
        <p className="mt-3 leading-relaxed text-pretty text-ink-soft">
          {status === 'signed-in'
            ? 'You already have an account, so someone else can use this invitation.'
            : 'This invitation works once. We don’t keep who invited you, or that you were.'}
        </p>
        <NeedsScripts className="mt-8">Signing up needs JavaScript.</NeedsScripts>
        {status === 'signed-in' ? (
          <a href="/" className={`${buttonClasses('primary', 'lg')} mt-8`}>
            Go to the home page
          </a>
        ) : (
          <Button size="lg" className="mt-8 no-js:hidden" onClick={signUp}>
            Create an account
          </Button>
        )}
      </div>
    </>
  )
}
