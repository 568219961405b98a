import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query'
import { useRef } from 'react'
import type { Client } from '#app/api/client.ts'
import type { Output } from '#app/api/contract.ts'
import { newIdempotencyKey } from '#app/kit/forms/idempotency-key.ts'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import { solveSpamCheck } from '#app/kit/spam-check/spam-check.data.ts'
import type { ContactContract, ContactMessage, SavedAnswer } from './contact.contract.ts'
import {
  type AssigneeFilter,
  type ContactFilter,
  type ContactStatus,
  type ContactSubject,
  isInFilter,
} from './contact.ts'

type ContactApi = Client<ContactContract>

export interface InboxQueries {
  api: ContactApi
  queryClient: QueryClient
}

const CONTACT_KEY = [MY_KEY, 'contact-messages'] as const
const MESSAGE_LISTS_KEY = [...CONTACT_KEY, 'list'] as const
const UNREAD_KEY = [...CONTACT_KEY, 'unread'] as const
const CHOICES_KEY = [...CONTACT_KEY, 'choices'] as const
const SAVED = [MY_KEY, 'saved-answers'] as const

/** How often to check whether a queued answer was sent. */
const SENDING_MS = 4_000

export interface Narrowed {
  assigned: AssigneeFilter
  label?: string
}
export const ALL_MESSAGES: Narrowed = { assigned: 'anybody' }

export const inboxQuery = (
  api: ContactApi,
  filter: ContactFilter,
  search: string,
  narrowed = ALL_MESSAGES,
) =>
  infiniteQueryOptions({
    queryKey: [...MESSAGE_LISTS_KEY, filter, search, narrowed],
    queryFn: ({ pageParam: after, signal }) =>
      api('GET /api/v1/contact-messages', {
        query: { filter, search, ...narrowed, after },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    // Always refetched when the inbox opens.
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ messages }) => messages.some(isBeingAnswered)) ? SENDING_MS : false,
  })

const isBeingAnswered = ({ answers }: ContactMessage) => answers.some(({ isSent }) => !isSent)

export const unreadQuery = (api: ContactApi) =>
  queryOptions({
    queryKey: UNREAD_KEY,
    queryFn: () => api('GET /api/v1/contact-messages/unread'),
    staleTime: 60_000,
  })

interface ContactForm {
  name: string
  email: string
  message: string
  subject: ContactSubject
  idempotencyKey: string
}

/**
 * Visitors' browsers solve a spam check first, as for posting.
 * @throws ApiError
 */
export async function sendContactForm(api: Client<ContactContract>, values: ContactForm) {
  const spamCheck = await solveSpamCheck(api)
  await api('POST /api/v1/contact-messages', { body: { ...values, spamCheck } })
}

/**
 * Changes a message's status. A message that's being opened stays in its place, even in the list of unread ones, so
 * nothing moves while people read. Returns whether the list still has it.
 * @throws ApiError
 */
export async function moveMessage(
  { api, queryClient }: InboxQueries,
  { id }: ContactMessage,
  list: ContactFilter,
  status: ContactStatus,
  isOpening: boolean,
) {
  await api('PUT /api/v1/contact-messages/{id}/status', { params: { id }, body: { status } })
  const staysIn = (filter: ContactFilter) => isOpening || isInFilter(filter, status)
  await changeLists(queryClient, (message, filter) => {
    if (message.id !== id) return message
    if (!staysIn(filter)) return undefined
    // Archiving closes a legal notice.
    return { ...message, status, ...(status === 'archived' && { answerBy: null }) }
  })
  // Hidden lists may now include it.
  queryClient.invalidateQueries({ queryKey: MESSAGE_LISTS_KEY, refetchType: 'none' })
  queryClient.invalidateQueries({ queryKey: UNREAD_KEY })
  return { isListed: staysIn(list) }
}

export const refreshInbox = (queryClient: QueryClient) =>
  queryClient.invalidateQueries({ queryKey: CONTACT_KEY })

export async function sendReply(
  { api, queryClient }: InboxQueries,
  { id }: ContactMessage,
  reply: { text: string; idempotencyKey: string },
) {
  const answer = await api('POST /api/v1/contact-messages/{id}/answers', {
    params: { id },
    body: reply,
  })
  await changeLists(queryClient, (message) =>
    message.id === id
      ? {
          ...message,
          answerBy: null,
          answers: [...message.answers.filter((it) => it.id !== answer.id), answer],
        }
      : message,
  )
}

export const choicesQuery = (api: ContactApi) =>
  queryOptions({
    queryKey: CHOICES_KEY,
    queryFn: ({ signal }) => api('GET /api/v1/contact-messages/choices', { signal }),
    staleTime: 60_000,
  })

/**
 * @param assignee a username, or null for no one
 * @throws ApiError if someone else was faster
 */
export async function assign(
  { api, queryClient }: InboxQueries,
  { id, assignee: was }: ContactMessage,
  assignee: string | null,
) {
  const answer = await api('PUT /api/v1/contact-messages/{id}/assignee', {
    params: { id },
    body: { assignee, was },
  })
  await changeLists(queryClient, (message) =>
    message.id === id ? { ...message, ...answer } : message,
  )
}

export async function setLabel(
  { api, queryClient }: InboxQueries,
  { id }: ContactMessage,
  label: string,
  isOn: boolean,
) {
  const params = { id, label }
  const { labels } = isOn
    ? await api('PUT /api/v1/contact-messages/{id}/labels/{label}', { params })
    : await api('DELETE /api/v1/contact-messages/{id}/labels/{label}', { params })
  await changeLists(queryClient, (message) =>
    message.id === id ? { ...message, labels } : message,
  )
  queryClient.invalidateQueries({ queryKey: CHOICES_KEY })
}

export const savedAnswersQuery = (api: ContactApi) =>
  queryOptions({
    queryKey: SAVED,
    queryFn: ({ signal }) => api('GET /api/v1/saved-answers', { signal }),
    staleTime: 60_000,
  })

/**
 * Saves a new answer, or the one with this id.
 * @throws ApiError
 */
export async function saveSavedAnswer(
  { api, queryClient }: InboxQueries,
  { id, ...body }: Omit<SavedAnswer, 'id'> & { id?: string },
) {
  if (id) await api('PUT /api/v1/saved-answers/{id}', { params: { id }, body })
  else await api('POST /api/v1/saved-answers', { body })
  await queryClient.invalidateQueries({ queryKey: SAVED })
}

export async function deleteSavedAnswer({ api, queryClient }: InboxQueries, id: string) {
  await api('DELETE /api/v1/saved-answers/{id}', { params: { id } })
  await queryClient.invalidateQueries({ queryKey: SAVED })
}

type Page = Output<ContactContract['GET /api/v1/contact-messages']>

/** First cancels requests on their way, because their results would undo the change. */
async function changeLists(
  queryClient: QueryClient,
  change: (message: ContactMessage, filter: ContactFilter) => ContactMessage | undefined,
) {
  await queryClient.cancelQueries({ queryKey: MESSAGE_LISTS_KEY })
  for (const [key, data] of queryClient.getQueriesData<InfiniteData<Page>>({
    queryKey: MESSAGE_LISTS_KEY,
  })) {
    if (!data) continue
    const filter = key[MESSAGE_LISTS_KEY.length] as ContactFilter
    const pages = data.pages.map((page) => ({
      ...page,
      messages: page.messages.flatMap((message) => change(message, filter) ?? []),
    }))
    queryClient.setQueryData(key, { ...data, pages })
  }
}

/** Returns the same key for the same texts, and a new one once they differ. */
export function useIdempotencyKey(): (texts: string[]) => string {
  const last = useRef({ text: '', key: '' })
  return (texts) => {
    const text = JSON.stringify(texts)
    if (last.current.text !== text) last.current = { text, key: newIdempotencyKey() }
    return last.current.key
  }
}
