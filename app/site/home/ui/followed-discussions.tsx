import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Client, useApi } from '#app/api/client.ts'
import { ThreadTiles } from '#app/community/discussions/threads/ui/thread-tiles.tsx'
import { followsKey } from '#app/companies/following/follow.data.ts'
import { useSessionKey } from '#app/kit/session/session.data.ts'
import type { HomeContract } from '../home.contract.ts'
import { HOME_TEXTS } from '../home.ts'
import { HomeSection } from './home-section.tsx'

/**
 * Members' followed discussions, loaded after the page, which is the same for everyone. Hidden if
 * there are none. Only inserted outside of the viewport, so nothing moves while people read.
 */
export function FollowedDiscussions() {
  const api = useApi<HomeContract>()
  const sessionKey = useSessionKey()
  const { data: threads = [] } = useQuery(followedThreadsQuery(api, sessionKey))
  const hasThreads = threads.length > 0
  const section = useRef<HTMLDivElement>(null)
  const [isUnseen, setUnseen] = useState(false)
  useEffect(() => {
    if (isUnseen || !hasThreads || !section.current) return
    const observer = new IntersectionObserver((entries) => {
      if (!entries.at(-1)?.isIntersecting) setUnseen(true)
    })
    observer.observe(section.current)
    return () => observer.disconnect()
  }, [isUnseen, hasThreads])
  if (!hasThreads || !isUnseen) return <div ref={section} />
  return (
    <HomeSection id="followed" title={HOME_TEXTS.followed}>
      <ThreadTiles threads={threads} />
    </HomeSection>
  )
}

/** Each person has their own list, refetched after following another company. */
const followedThreadsQuery = (api: Client<HomeContract>, sessionKey: string) =>
  queryOptions({
    queryKey: [...followsKey(sessionKey), 'discussions'],
    queryFn: async () => (await api('GET /api/v1/my/follows/discussions')).threads,
    staleTime: 30_000,
  })
