/** What moderators keep ready: templates, the watch list, and who waits for approval. */
import { useSession } from '#app/kit/session/session.data.ts'
import { SettingsSection } from '#app/kit/ui/settings-section.tsx'
import { FirstPosts } from './first-posts.tsx'
import { Limits } from './limits.tsx'
import { Templates } from './templates.tsx'
import { WatchList } from './watch-list.tsx'

export function ModerationTools() {
  const isAdmin = useSession().me?.can.includes('openAdminPanel') ?? false
  return (
    <div className="grid gap-10">
      <SettingsSection
        id="templates"
        title="Templates"
        text="Words to authors, to choose from when you remove a post. {reason}, {company} and {title} are filled in for each post."
      >
        <Templates />
      </SettingsSection>
      <SettingsSection
        id="watch-list"
        title="Watch list"
        text="New posts with these words, or with links to these domains, are held until a moderator has looked. Their authors are told so, and nothing is lost."
      >
        <WatchList />
      </SettingsSection>
      <SettingsSection
        id="first-posts"
        title="First posts"
        text="Somebody’s first posts can wait until a moderator let them through. Nothing is counted of anybody: at each post the site looks whether its author has others that are shown."
      >
        <FirstPosts />
      </SettingsSection>
      {isAdmin && (
        <SettingsSection
          id="limits"
          title="Limits"
          text="How often people may post and vote. A change is in force at once, everywhere."
        >
          <Limits />
        </SettingsSection>
      )}
    </div>
  )
}
