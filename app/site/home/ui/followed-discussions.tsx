/** "From companies you follow", for members: asked for once the page stands, which is the same for everybody. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { ThreadTiles } from '#app/community/discussions/threads/ui/thread-tiles.tsx'
import { useSessionKey } from '#app/kit/session/session.data.ts'
import { followedThreadsQuery } from '../followed.data.ts'
import type { HomeContract } from '../home.contract.ts'
import { HOME_TEXTS } from '../home.ts'
import { HomeSection } from './home-section.tsx'

/** Nothing for who follows nothing. Comes only where nobody looks, so that nothing moves under their eyes. */
export function FollowedDiscussions() {
  const api = useApi<HomeContract>()
  const who = useSessionKey()
  const { data: threads = [] } = useQuery(followedThreadsQuery(api, who))
  const hasThreads = threads.length > 0
  const place = useRef<HTMLDivElement>(null)
  const [isUnseen, setUnseen] = useState(false)
  useEffect(() => {
    if (isUnseen || !hasThreads || !place.current) return
    const observer = new IntersectionObserver((entries) => {
      if (!entries.at(-1)?.isIntersecting) setUnseen(true)
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isUnseen, hasThreads])
  if (!hasThreads || !isUnseen) return <div ref={place} />
  return (
    <HomeSection id="followed" title={HOME_TEXTS.followed}>
      <ThreadTiles threads={threads} />
    </HomeSection>
  )
}
