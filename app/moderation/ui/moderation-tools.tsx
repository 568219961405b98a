/** What moderators keep ready: templates, the watch list, and who waits for approval. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import { reportError } from '#app/kit/forms/refusal.ts'
import { useSession } from '#app/kit/session/session.data.ts'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { Select } from '#app/kit/ui/select.tsx'
import { SettingsSection } from '#app/kit/ui/settings-section.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import type { ModerationContract } from '../moderation.contract.ts'
import { firstPostsQuery } from '../moderation.data.ts'
import { FIRST_POSTS_MAX } from '../moderation.ts'
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

/** How many first posts of somebody wait. Everybody who moderates sees it, administrators choose it. */
const CHOICES = Array.from({ length: FIRST_POSTS_MAX + 1 }, (_, posts) => posts)
const choiceText = (posts: number) =>
  posts === 0 ? 'None: all are shown at once' : posts === 1 ? 'The first one' : `The first ${posts}`

function FirstPosts() {
  const api = useApi<ModerationContract>()
  const queryClient = useQueryClient()
  const query = useQuery(firstPostsQuery(api))
  const mayChoose = useSession().me?.can.includes('openAdminPanel') ?? false
  const choose = async (posts: number) => {
    try {
      await api('PUT /api/v1/moderation/first-posts', { body: { posts } })
      toast({
        title: posts === 0 ? 'First posts are shown at once' : 'First posts wait from now on',
      })
    } catch (error) {
      reportError('Not changed')(error)
    }
    await queryClient.invalidateQueries(firstPostsQuery(api))
  }
  if (query.isError && !query.data)
    return <LoadErrorLine text="This setting did not load." onRetry={query.refetch} />
  if (!query.data) return <Skeleton className="h-16 w-full" />
  return (
    <div className="max-w-xs">
      <Select
        label="Wait for a moderator"
        hint={mayChoose ? undefined : 'Administrators choose it.'}
        disabled={!mayChoose}
        value={query.data.posts}
        onChange={({ target }) => choose(Number(target.value))}
      >
        {CHOICES.map((posts) => (
          <option key={posts} value={posts}>
            {choiceText(posts)}
          </option>
        ))}
      </Select>
    </div>
  )
}
