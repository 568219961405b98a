/** A company's room, for whoever holds its badge. Decision 65. */
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/client.ts'
import { MembersOnly } from '../../session/members-only.tsx'
import { Nowhere } from '../../session/nowhere.ts'
import { PageHead } from '../../session/page-head.tsx'
import { useSessionKey } from '../../session/session.data.ts'
import { buttonLook } from '../../ui/button.tsx'
import { linkLook } from '../../ui/link-look.ts'
import { EmptyState, LoadError } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { BADGE_PATH } from '../badges/badge.ts'
import { useBadges } from '../badges/kept-badges.data.ts'
import type { CompanyContract, CompanyPageView } from '../companies/company.contract.ts'
import { companyQuery } from '../companies/company.data.ts'
import { companyPath } from '../companies/company.ts'
import { roomPath } from './room.ts'
import { badgeFor } from './room-door.data.ts'
import { ROOM, roomTitle } from './room-texts.ts'
import { RoomThreadView } from './ui/room-thread.tsx'
import { RoomThreads } from './ui/room-threads.tsx'

export default function RoomScreen({ companySlug = '', threadId }: RoomScreenProps) {
  const api = useApi<CompanyContract>()
  const { data: company, error, refetch } = useQuery(companyQuery(api, companySlug))
  if ((error as { status?: number } | null)?.status === 404) return <Nowhere />
  if (error) return <LoadError isPage text={error.message} onRetry={refetch} />
  const title = roomTitle(company?.name ?? 'a company')
  return (
    <>
      <PageHead title={title} text={ROOM.text} />
      <MembersOnly title={title} text={ROOM.text}>
        {() =>
          company ? (
            <Room company={company} threadId={threadId} />
          ) : (
            <div className="mx-auto w-full max-w-3xl px-5 py-12" aria-busy="true">
              <Skeleton className="h-12 w-72" />
            </div>
          )
        }
      </MembersOnly>
    </>
  )
}

function Room({ company, threadId }: { company: CompanyPageView; threadId: string | undefined }) {
  const badges = useBadges(useSessionKey())
  const badge = badgeFor(badges, company)
  const path = companyPath(company)
  const door = badge && { companyId: company.id, badge }
  const home = roomPath(company)
  return (
    <div className="mx-auto w-full max-w-3xl px-5 py-8 md:py-12">
      <p className="text-sm">
        <a href={door && threadId ? home : path} className={linkLook}>
          {door && threadId ? 'Back to the room' : `Back to ${company.name}`}
        </a>
      </p>
      {door && threadId ? (
        <RoomThreadView door={door} threadId={threadId} home={home} />
      ) : (
        <>
          <h1
            dir="auto"
            className="mt-2 font-serif text-4xl leading-tight font-medium tracking-tight text-balance md:text-5xl"
          >
            {roomTitle(company.name)}
          </h1>
          <p className="mt-3 max-w-prose leading-relaxed text-pretty text-ink-soft">{ROOM.text}</p>
          {door ? (
            <RoomThreads door={door} home={home} />
          ) : (
            <EmptyState
              title={ROOM.badgeTitle}
              text={ROOM.badgeText(company.name)}
              action={
                <a href={`${BADGE_PATH}?company=${company.id}`} className={buttonLook()}>
                  {ROOM.getBadge}
                </a>
              }
            />
          )}
        </>
      )}
    </div>
  )
}

interface RoomScreenProps {
  companySlug?: string
  threadId?: string
}
