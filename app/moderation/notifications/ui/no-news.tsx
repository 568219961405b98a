/** What stands in place of news when there is none. */
import { useSite } from '#app/kit/session/site.data.ts'
import { Button, buttonLook } from '#app/kit/ui/button.tsx'
import { EmptyState } from '#app/kit/ui/message.tsx'

export function NoNews() {
  return (
    <EmptyState
      title="No news yet"
      text="Answers to what you wrote come here, comments that name you, and what happens at the companies that you follow."
      action={<Browse />}
    />
  )
}

/** For somebody who wrote nothing from this browser and is not signed in. */
export function NoReader({ onLogIn }: { onLogIn: () => void }) {
  return (
    <EmptyState
      className="mt-6"
      title="Nothing here yet"
      text="Once you have written something in this browser, or follow a company, the news of it is told here. You need no account for that. If you have one, log in to see its news."
      action={
        <span className="flex flex-wrap justify-center gap-3">
          <Browse />
          <Button variant="secondary" onClick={onLogIn}>
            Log in
          </Button>
        </span>
      }
    />
  )
}

function Browse() {
  const { flags } = useSite()
  return flags.enableDiscussions ? (
    <a href="/discussions" className={buttonLook('secondary')}>
      Browse discussions
    </a>
  ) : null
}
