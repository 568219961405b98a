/** Templates, the watch list, and the rules for posting. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { closeAndFocus, FormError, useForm } from '#app/kit/forms/form.tsx'
import { reportError } from '#app/kit/forms/refusal.ts'
import { useSession } from '#app/kit/session/session.data.ts'
import { SettingsSection } from '#app/kit/session/settings.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { Select, TextField } from '#app/kit/ui/field.tsx'
import { grouped } from '#app/kit/ui/format.ts'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import type { ModerationContract, PostingLimit } from '../moderation.contract.ts'
import { firstPostsQuery, limitsQuery } from '../moderation.data.ts'
import { FIRST_POSTS_MAX, LIMIT_MAX, LIMIT_RANGE } from '../moderation.ts'
import { Templates } from './templates.tsx'
import { WatchList } from './watch-list.tsx'

export function ModerationTools() {
  const isAdmin = useSession().me?.can.includes('openAdminPanel') ?? false
  return (
    <div className="grid gap-10">
      <SettingsSection
        id="templates"
        title="Templates"
        text="Notes to authors, to choose from when you remove a post. We fill in {reason}, {company} and {title} for each post."
      >
        <Templates />
      </SettingsSection>
      <SettingsSection
        id="watch-list"
        title="Watch list"
        text="We hold new posts with these words, or with links to these domains, until a moderator reviews them. Their authors know, and nothing is lost."
      >
        <WatchList />
      </SettingsSection>
      <SettingsSection
        id="first-posts"
        title="First posts"
        text="You can hold a person’s first posts for a moderator. We don’t count anyone’s posts. With each new post, the site checks whether its author already has visible ones."
      >
        <FirstPosts />
      </SettingsSection>
      {isAdmin && (
        <SettingsSection
          id="limits"
          title="Limits"
          text="How often people can post and vote. Changes apply right away, everywhere."
        >
          <Limits />
        </SettingsSection>
      )}
    </div>
  )
}

const CHOICES = Array.from({ length: FIRST_POSTS_MAX + 1 }, (_, posts) => posts)
const choiceText = (posts: number) =>
  posts === 0
    ? 'None. All posts show right away'
    : posts === 1
      ? 'The first one'
      : `The first ${posts}`

function FirstPosts() {
  const api = useApi<ModerationContract>()
  const queryClient = useQueryClient()
  const query = useQuery(firstPostsQuery(api))
  const mayChoose = useSession().me?.can.includes('openAdminPanel') ?? false
  const choose = async (posts: number) => {
    try {
      await api('PUT /api/v1/moderation/first-posts', { body: { posts } })
      toast({
        title:
          posts === 0 ? 'First posts now show right away' : 'First posts now wait for a moderator',
      })
    } catch (error) {
      reportError('Couldn’t save')(error)
    }
    await queryClient.invalidateQueries(firstPostsQuery(api))
  }
  if (query.isError && !query.data)
    return <LoadErrorLine text="This setting didn’t load." onRetry={query.refetch} />
  if (!query.data) return <Skeleton className="h-16 w-full" />
  return (
    <div className="max-w-xs">
      <Select
        label="Wait for a moderator"
        hint={mayChoose ? undefined : 'Only administrators can change this.'}
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

const OF = { member: 'of a member', untrusted: 'of a visitor', network: 'from one network' }
const labelOf = ({ what, of, seconds }: PostingLimit) =>
  `${what} ${OF[of]} in ${seconds / 60} minutes`

/** Each number saves separately, and one press resets it to the default. */
function Limits() {
  const query = useQuery(limitsQuery(useApi<ModerationContract>()))
  if (query.isError && !query.data)
    return <LoadErrorLine text="The limits didn’t load." onRetry={query.refetch} />
  if (!query.data) return <Skeleton className="h-64 w-full" />
  return (
    <ul className="grid items-end gap-x-6 gap-y-4 sm:grid-cols-3">
      {query.data.map((limit) => (
        <li key={limit.name}>
          <LimitForm limit={limit} />
        </li>
      ))}
    </ul>
  )
}

function LimitForm({ limit }: { limit: PostingLimit }) {
  const api = useApi<ModerationContract>()
  const queryClient = useQueryClient()
  /** Undefined until you type. */
  const [typed, setTyped] = useState<string>()
  const uses = typed ?? String(limit.uses)
  const field = useRef<HTMLInputElement>(null)
  const choose = async (uses: number | null) => {
    await api('PUT /api/v1/moderation/limits/{name}', {
      params: { name: limit.name },
      body: { uses },
    })
    await queryClient.invalidateQueries(limitsQuery(api))
    // The pressed button disappears.
    closeAndFocus(
      () => setTyped(undefined),
      () => field.current,
    )
    toast({ title: 'New limit saved' })
  }
  const { form, errors, isBusy } = useForm<'uses'>({
    check: () => ({
      uses:
        /^\d{1,6}$/.test(uses.trim()) && Number(uses) >= 1 && Number(uses) <= LIMIT_MAX
          ? undefined
          : LIMIT_RANGE,
    }),
    send: () => choose(Number(uses)),
  })
  const back = useForm({ send: () => choose(null) })
  return (
    <div className="flex flex-wrap items-end gap-2">
      <form {...form} className="flex flex-wrap items-end gap-2">
        <FormError>{errors.form ?? back.errors.form}</FormError>
        <TextField
          label={labelOf(limit)}
          inputMode="numeric"
          ref={field}
          value={uses}
          onChange={({ target }) => setTyped(target.value)}
          error={errors.uses}
          className="max-w-28"
        />
        {uses !== String(limit.uses) && (
          <Button type="submit" busy={isBusy} busyLabel="Saving...">
            Save
          </Button>
        )}
      </form>
      {limit.uses !== limit.usual && (
        <form {...back.form}>
          <Button type="submit" variant="ghost" busy={back.isBusy} busyLabel="Saving...">
            {`Reset to ${grouped(limit.usual)}`}
          </Button>
        </form>
      )}
    </div>
  )
}
