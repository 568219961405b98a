/** How screens send a message, and how administrators read and answer what came. */
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import type { Answer } from '#app/api/contract.ts'
import { proveWork } from '#app/kit/spam-check/spam-check.data.ts'
import type { ContactContract, ContactMessage, SavedAnswer } from './contact.contract.ts'
import {
  type Assigned,
  type ContactFilter,
  type ContactStatus,
  type ContactSubject,
  shows,
} from './contact.ts'

type ContactApi = Client<ContactContract>

/** What it takes to act on the inbox. */
export interface InboxQueries {
  api: ContactApi
  queryClient: QueryClient
}

/** What begins with it goes when somebody signs in or out: see `MY_KEY` of the accounts. */
const MINE = 'me'
/** Lists and the count have keys that begin with it. */
const CONTACT = [MINE, 'contact-messages'] as const
const LISTS = [...CONTACT, 'list'] as const
const UNREAD = [...CONTACT, 'unread'] as const
const CHOICES = [...CONTACT, 'choices'] as const
const SAVED = [MINE, 'saved-answers'] as const

/** While a mail waits, its answer asks whether it is gone. */
const SENDING_MS = 4_000

/** Whose messages, and under which label. */
export interface Narrowed {
  assigned: Assigned
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
    queryKey: [...LISTS, filter, search, narrowed],
    queryFn: ({ pageParam: after, signal }) =>
      api('GET /api/v1/contact-messages', {
        query: { filter, search, ...narrowed, after },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    // What came meanwhile is there whenever the inbox is opened.
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ messages }) => messages.some(isBeingAnswered)) ? SENDING_MS : false,
  })

const isBeingAnswered = ({ answers }: ContactMessage) => answers.some(({ isSent }) => !isSent)

export const unreadQuery = (api: ContactApi) =>
  queryOptions({
    queryKey: UNREAD,
    queryFn: () => api('GET /api/v1/contact-messages/unread'),
    staleTime: 60_000,
  })

export interface Letter {
  name: string
  email: string
  message: string
  subject: ContactSubject
  sending: string
}

/** A visitor's browser calculates first, as for posting. @throws ApiError */
export async function sendLetter(api: Client<ContactContract>, letter: Letter) {
  const proof = await proveWork(api)
  await api('POST /api/v1/contact-messages', { body: { ...letter, proof } })
}

/**
 * Gives a message another status, and shows it. One that is being opened stays where it stands, also
 * in a list of unread ones: what is read does not run away. Answers whether the list still has it.
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
  const staysIn = (filter: ContactFilter) => isOpening || shows(filter, status)
  await changeLists(queryClient, (message, filter) => {
    if (message.id !== id) return message
    if (!staysIn(filter)) return undefined
    // What is put away waits for no answer.
    return { ...message, status, ...(status === 'archived' && { answerBy: null }) }
  })
  // Those that are not shown: it may belong into them now.
  queryClient.invalidateQueries({ queryKey: LISTS, refetchType: 'none' })
  queryClient.invalidateQueries({ queryKey: UNREAD })
  return { isListed: staysIn(list) }
}

/** Asks for everything anew. */
export const refreshInbox = (queryClient: QueryClient) =>
  queryClient.invalidateQueries({ queryKey: CONTACT })

/** @throws ApiError */
export async function sendReply(
  { api, queryClient }: InboxQueries,
  { id }: ContactMessage,
  reply: { text: string; sending: string },
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
    queryKey: CHOICES,
    queryFn: ({ signal }) => api('GET /api/v1/contact-messages/choices', { signal }),
    staleTime: 60_000,
  })

/** @param assignee a username; null for nobody. @throws ApiError, where somebody else was faster */
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

/** Puts a label on a message, or takes it off. @throws ApiError */
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
  queryClient.invalidateQueries({ queryKey: CHOICES })
}

export const savedAnswersQuery = (api: ContactApi) =>
  queryOptions({
    queryKey: SAVED,
    queryFn: ({ signal }) => api('GET /api/v1/saved-answers', { signal }),
    staleTime: 60_000,
  })

/** Saves a new answer, or changes the one with this id. @throws ApiError */
export async function saveSavedAnswer(
  { api, queryClient }: InboxQueries,
  { id, ...body }: Omit<SavedAnswer, 'id'> & { id?: string },
) {
  if (id) await api('PUT /api/v1/saved-answers/{id}', { params: { id }, body })
  else await api('POST /api/v1/saved-answers', { body })
  await queryClient.invalidateQueries({ queryKey: SAVED })
}

/** @throws ApiError */
export async function deleteSavedAnswer({ api, queryClient }: InboxQueries, id: string) {
  await api('DELETE /api/v1/saved-answers/{id}', { params: { id } })
  await queryClient.invalidateQueries({ queryKey: SAVED })
}

type Page = Answer<ContactContract['GET /api/v1/contact-messages']>

/** What is on its way would undo it. */
async function changeLists(
  queryClient: QueryClient,
  change: (message: ContactMessage, filter: ContactFilter) => ContactMessage | undefined,
) {
  await queryClient.cancelQueries({ queryKey: LISTS })
  for (const [key, data] of queryClient.getQueriesData<InfiniteData<Page>>({ queryKey: LISTS })) {
    if (!data) continue
    const filter = key[LISTS.length] as ContactFilter
    const pages = data.pages.map((page) => ({
      ...page,
      messages: page.messages.flatMap((message) => change(message, filter) ?? []),
    }))
    queryClient.setQueryData(key, { ...data, pages })
  }
}
