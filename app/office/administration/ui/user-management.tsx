/** Search and list accounts. Never shows what anyone wrote. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { UNNAMED } from '#app/identity/accounts/account.ts'
import { Avatar } from '#app/identity/accounts/ui/avatar.tsx'
import { useAddress } from '#app/kit/ui/address.ts'
import { Badge } from '#app/kit/ui/badge.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { Options, Select, TextField } from '#app/kit/ui/field.tsx'
import { dateText } from '#app/kit/ui/format.ts'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { MenuButton } from '#app/kit/ui/menu-button.tsx'
import { EmptyState } from '#app/kit/ui/message.tsx'
import { PagedList } from '#app/kit/ui/paged-list.tsx'
import type { AdministrationContract, User } from '../administration.contract.ts'
import { type UserFilters, usersQuery } from '../administration.data.ts'
import {
  CONFIRMED_NAMES,
  type Confirmed,
  USER_LIST_NAMES,
  USER_LISTS,
  USER_SEARCH_MAX,
  USER_SORT_NAMES,
  type UserAct,
  type UserList,
  type UserSort,
} from '../administration.ts'

interface Shown extends UserFilters {
  list: UserList
  sort: UserSort
  confirmed: Confirmed
}
const EVERYONE: Shown = { list: 'all', sort: 'name', confirmed: 'any' }

export function UserManagement() {
  const { search: address } = useAddress()
  const [shown, setShown] = useState(EVERYONE)
  // A link may bring a username. Typed text stays out of the URL, so no email gets into a history.
  const [search, setSearch] = useState(new URLSearchParams(address).get('name') ?? '')
  const top = useRef<HTMLDivElement>(null)
  const filters = { ...shown, search: search || undefined }
  const query = useInfiniteQuery(usersQuery(useApi<AdministrationContract>(), filters))
  const users = query.data?.pages.flatMap((page) => page.users) ?? []
  const months = query.data?.pages[0]?.months ?? []
  const choose = (change: Partial<Shown>) => setShown({ ...shown, ...change })
  return (
    <div ref={top} tabIndex={-1} className="outline-none">
      <UserSearch key={search} search={search} onSearch={setSearch} />
      <div className="mt-6 flex flex-wrap items-end justify-between gap-3">
        <Lists list={shown.list} onChoose={(list) => choose({ list })} />
        <Narrow shown={shown} months={months} onChoose={choose} />
      </div>
      {search && (
        <div className="mt-4 flex min-h-10 flex-wrap items-center justify-between gap-3">
          <p role="status" className="min-w-0 text-sm break-all text-ink-soft">
            {query.isSuccess && (users.length > 0 ? 'Found for ' : 'No one found for ')}
            <strong className="font-semibold text-ink">{query.isSuccess && search}</strong>
          </p>
          <Button variant="secondary" size="sm" onClick={() => setSearch('')}>
            Back to the list
          </Button>
        </div>
      )}
      <div className="mt-4">
        <PagedList
          query={query}
          items={users.map((user) => ({ ...user, id: user.username ?? user.handle }))}
          empty={<EmptyState {...emptyOf(shown, search)} />}
          render={(user) => <UserRow user={user} onGone={() => top.current?.focus()} />}
        />
      </div>
    </div>
  )
}

function Narrow({ shown, months, onChoose }: NarrowProps) {
  return (
    <div className="grid grid-cols-1 gap-3 max-sm:w-full sm:grid-cols-3">
      <Select
        label="Address"
        value={shown.confirmed}
        onChange={(event) => onChoose({ confirmed: event.target.value as Confirmed })}
      >
        <Options names={CONFIRMED_NAMES} />
      </Select>
      <Select
        label="Joined"
        value={shown.joined ?? ''}
        onChange={(event) => onChoose({ joined: event.target.value || undefined })}
      >
        <option value="">In any month</option>
        {/* Keeps the selection available while the months load. */}
        {[...new Set([...(shown.joined ? [shown.joined] : []), ...months])].map((month) => (
          <option key={month} value={month}>
            {dateText(month)}
          </option>
        ))}
      </Select>
      <Select
        label="Order"
        value={shown.sort}
        onChange={(event) => onChoose({ sort: event.target.value as UserSort })}
      >
        <Options names={USER_SORT_NAMES} />
      </Select>
    </div>
  )
}

interface NarrowProps {
  shown: Shown
  months: string[]
  onChoose: (change: Partial<Shown>) => void
}

function UserSearch({ search, onSearch }: { search: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(search)
  const find = (event: FormEvent) => {
    event.preventDefault()
    onSearch(text.trim())
  }
  return (
    <form onSubmit={find} className="flex max-w-xl flex-wrap items-end gap-3">
      <div className="min-w-0 flex-1 basis-52">
        <TextField
          label="Part of a username or a full email"
          type="search"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={USER_SEARCH_MAX}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <Button type="submit">Search</Button>
    </form>
  )
}

function Lists({ list, onChoose }: { list: UserList; onChoose: (list: UserList) => void }) {
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">Filter accounts</legend>
      {USER_LISTS.map((each) => (
        <Button
          key={each}
          variant="secondary"
          size="sm"
          aria-pressed={list === each}
          onClick={() => onChoose(each)}
          className={cx(list === each && 'border-tea! bg-tea-soft! text-tea-strong!')}
        >
          {USER_LIST_NAMES[each]}
        </Button>
      ))}
    </fieldset>
  )
}

function emptyOf({ list, confirmed, joined }: Shown, search: string) {
  if (search)
    return {
      title: 'No account found',
      text: 'Search by part of a username or a full email.',
    }
  if (joined || confirmed !== 'any')
    return { title: 'No matching accounts', text: 'Try another month or fewer filters.' }
  if (list === 'suspended') return { title: 'No suspended accounts', text: 'Everyone can log in.' }
  if (list === 'moderators')
    return { title: 'No moderators', text: 'Administrators can decide on reported posts too.' }
  if (list === 'administrators')
    return {
      title: 'No administrators',
      text: 'The operator appoints the first one on the server.',
    }
  return { title: 'No accounts yet', text: 'People who sign up are listed here.' }
}

const UserMenu = lazyDialog(() => import('./user-menu.tsx').then((it) => it.UserMenu))
const UserActDialog = lazyDialog(() =>
  import('./user-act-dialog.tsx').then((it) => it.UserActDialog),
)

const ROLE_NAMES = {
  owner: 'Owner',
  admin: 'Administrator',
  moderator: 'Moderator',
  employer: 'Employer',
} as const

function UserRow({ user, onGone }: { user: User; onGone: () => void }) {
  const { username, address, role, acts } = user
  const name = username ?? UNNAMED
  const [asking, setAsking] = useState(false)
  // Kept while the dialog closes.
  const [act, setAct] = useState<UserAct>('suspend')
  return (
    <article className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="flex min-w-0 items-center gap-3">
        <Avatar name={name} />
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 leading-6">
            <strong className="font-semibold break-all text-ink">{name}</strong>
            {role in ROLE_NAMES && (
              <Badge tone="tea">{ROLE_NAMES[role as keyof typeof ROLE_NAMES]}</Badge>
            )}
            {user.isMe && <Badge>You</Badge>}
            {user.isSuspended && <Badge tone="danger">Suspended</Badge>}
            {!user.isConfirmed && <Badge>Not confirmed</Badge>}
          </p>
          <p className="text-sm leading-6 break-all text-ink-faint">
            {`${address} · since ${dateText(user.joined)}`}
          </p>
        </div>
      </div>
      {acts.length > 0 && (
        <MenuButton
          variant="secondary"
          size="sm"
          aria-label={`Manage ${name}`}
          preload={UserMenu.preload}
          menu={(popup) => (
            <UserMenu
              {...popup}
              label={`Manage ${name}`}
              acts={acts}
              onChoose={(chosen) => {
                setAct(chosen)
                setAsking(true)
              }}
            />
          )}
        >
          Manage
        </MenuButton>
      )}
      <UserActDialog
        key={act}
        open={asking}
        onOpenChange={setAsking}
        user={user}
        act={act}
        onGone={onGone}
      />
    </article>
  )
}
