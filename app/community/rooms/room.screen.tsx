/** A company's room, for people with its badge. D65. */

import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { hasCode, useApi } from '#app/api/client.ts'
import { badgePath } from '#app/companies/badges/badge.ts'
import { badgeFor, useBadges } from '#app/companies/badges/stored-badges.data.ts'
import type { CompanyContract, CompanyPageView } from '#app/companies/company.contract.ts'
import { companyQuery } from '#app/companies/company.data.ts'
import { companyPath } from '#app/companies/company.ts'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { MembersOnly } from '#app/kit/session/members-only.tsx'
import { pageFailure } from '#app/kit/session/page-failure.tsx'
import { useSessionKey } from '#app/kit/session/session.data.ts'
import { PageHead } from '#app/kit/session/site.tsx'
import { navigate } from '#app/kit/ui/address.ts'
import { Button, buttonClasses } from '#app/kit/ui/button.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { dateText, plural } from '#app/kit/ui/format.ts'
import { EmptyState, LoadError } from '#app/kit/ui/message.tsx'
import { MoreButton } from '#app/kit/ui/paged-list.tsx'
import { Loading, Skeleton, SkeletonCard } from '#app/kit/ui/skeleton.tsx'
import type { RoomThread } from './room.contract.ts'
import { type RoomAccess, roomThreadsQuery, writeInRoom } from './room.data.ts'
import { ROOM_TEXTS, roomPath, roomTitle } from './room.ts'
import { ClosedRoom } from './ui/closed-room.tsx'
import { NewRoomPost, RoomThreadView } from './ui/room-thread.tsx'

export default function RoomScreen({ companySlug = '', threadId }: RoomScreenProps) {
  const api = useApi<CompanyContract>()
  const query = useQuery(companyQuery(api, companySlug))
  const company = query.data
  const failure = pageFailure(query)
  if (failure) return failure
  const title = roomTitle(company?.name ?? 'a company')
  return (
    <>
      <PageHead title={title} text={ROOM_TEXTS.text} />
      <MembersOnly title={title} text={ROOM_TEXTS.text}>
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
  const access = badge && { companyId: company.id, badge }
  const home = roomPath(company)
  return (
    <div className="mx-auto w-full max-w-3xl px-5 py-8 md:py-12">
      <p className="text-sm">
        <a href={access && threadId ? home : path} className={linkClasses}>
          {access && threadId ? 'Back to the room' : `Back to ${company.name}`}
        </a>
      </p>
      {access && threadId ? (
        <RoomThreadView access={access} threadId={threadId} home={home} />
      ) : (
        <>
          <h1
            dir="auto"
            className="mt-2 font-serif text-4xl leading-tight font-medium tracking-tight text-balance md:text-5xl"
          >
            {roomTitle(company.name)}
          </h1>
          <p className="mt-3 max-w-prose leading-relaxed text-pretty text-ink-soft">
            {ROOM_TEXTS.text}
          </p>
          {access ? (
            <RoomThreads access={access} home={home} />
          ) : (
            <EmptyState
              title={ROOM_TEXTS.badgeTitle}
              text={ROOM_TEXTS.badgeText(company.name)}
              action={
                <a href={badgePath(company.id)} className={buttonClasses()}>
                  {ROOM_TEXTS.getBadge}
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

function RoomThreads({ access, home }: { access: RoomAccess; home: string }) {
  const list = useInfiniteQuery(roomThreadsQuery(access))
  const queryClient = useQueryClient()
  const [isWriting, setWriting] = useState(false)
  if (list.isError && !list.data) {
    const { error } = list
    return hasCode(error, 'room-closed') ? (
      <ClosedRoom access={access} />
    ) : (
      <LoadError text={errorSentence(error)} onRetry={list.refetch} />
    )
  }
  if (!list.data)
    return (
      <Loading label="Opening the room..." className="mt-8">
        <SkeletonCard className="h-64" />
      </Loading>
    )
  const threads = list.data.pages.flatMap(({ threads }) => threads)
  return (
    <div className="mt-8 grid gap-8">
      {isWriting ? (
        <section
          aria-label={ROOM_TEXTS.begin}
          className="rounded-xl border border-line bg-surface p-5"
        >
          <NewRoomPost
            isThread
            label="Text"
            submitLabel="Post thread"
            draftKey={{ kind: 'room', key: access.companyId, path: home }}
            onCancel={() => setWriting(false)}
            send={async (post) => {
              const { id } = await writeInRoom(access, { ...post, threadId: post.id })
              await queryClient.invalidateQueries(roomThreadsQuery(access))
              navigate(`${home}/${id}`)
            }}
          />
        </section>
      ) : (
        <div>
          <Button onClick={() => setWriting(true)}>{ROOM_TEXTS.begin}</Button>
        </div>
      )}
      {threads.length === 0 ? (
        <EmptyState title={ROOM_TEXTS.empty} text={ROOM_TEXTS.emptyText} />
      ) : (
        <ul className="grid divide-y divide-line border-y border-line">
          {threads.map((thread) => (
            <ThreadRow key={thread.id} thread={thread} home={home} />
          ))}
        </ul>
      )}
      <MoreButton list={list} />
    </div>
  )
}

function ThreadRow({ thread, home }: { thread: RoomThread; home: string }) {
  const { id, title, excerpt, name, month, isNew, comments } = thread
  return (
    <li className="relative py-5">
      <h2 dir="auto" className="font-serif text-xl leading-snug font-medium text-balance">
        <a
          href={`${home}/${id}`}
          className="outline-offset-4 after:absolute after:inset-0 hover:text-tea"
        >
          {title}
        </a>
      </h2>
      {excerpt && (
        <p dir="auto" className="mt-1 line-clamp-2 text-sm leading-6 text-ink-soft">
          {excerpt}
        </p>
      )}
      <p className="dotted mt-2 text-sm text-ink-faint">
        <span>{name}</span>
        <span>{plural(comments, 'comment')}</span>
        <span>{isNew ? ROOM_TEXTS.isNew : dateText(month)}</span>
      </p>
    </li>
  )
}
