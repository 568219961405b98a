/** Accounts: found by exact address or username, or listed by name. Never what anybody wrote. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useApi } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { EmptyState } from '../../../ui/message.tsx'
import { OwnList } from '../../../ui/own-list.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import type { AdministrationContract } from '../administration.contract.ts'
import { usersQuery } from '../administration.data.ts'
import { USER_LIST_NAMES, USER_LISTS, USER_SEARCH_MAX, type UserList } from '../administration.ts'
import { UserRow } from './user-row.tsx'

export function UserManagement() {
  const [list, setList] = useState<UserList>('all')
  // Not in the page's address: nobody's e-mail shall stand in a history.
  const [search, setSearch] = useState('')
  const top = useRef<HTMLDivElement>(null)
  const query = useInfiniteQuery(usersQuery(useApi<AdministrationContract>(), { list, search }))
  const users = query.data?.pages.flatMap((page) => page.users) ?? []
  return (
    <div ref={top} tabIndex={-1} className="outline-none">
      <UserSearch search={search} onSearch={setSearch} />
      <div className="mt-6 mb-4 flex min-h-10 flex-wrap items-center justify-between gap-3">
        {search ? (
          <>
            <p role="status" className="min-w-0 text-sm break-all text-ink-soft">
              {query.isSuccess && (users.length > 0 ? 'Found for ' : 'Nobody found for ')}
              <strong className="font-semibold text-ink">{query.isSuccess && search}</strong>
            </p>
            <Button variant="secondary" size="sm" onClick={() => setSearch('')}>
              Back to the list
            </Button>
          </>
        ) : (
          <Lists list={list} onChoose={setList} />
        )}
      </div>
      <OwnList
        query={query}
        items={users.map((user) => ({ ...user, id: user.username ?? user.address }))}
        empty={<EmptyState {...emptyOf(list, search)} />}
        render={(user) => <UserRow user={user} onGone={() => top.current?.focus()} />}
      />
    </div>
  )
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
          label="Exact e-mail or username"
          type="search"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={USER_SEARCH_MAX}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <Button type="submit">Find</Button>
    </form>
  )
}

function Lists({ list, onChoose }: { list: UserList; onChoose: (list: UserList) => void }) {
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">Which accounts</legend>
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

function emptyOf(list: UserList, search: string) {
  if (search)
    return {
      title: 'No account',
      text: 'Only the whole e-mail address or the whole username is found.',
    }
  if (list === 'suspended') return { title: 'Nobody is suspended', text: 'Everybody may come in.' }
  if (list === 'moderators')
    return { title: 'No moderators', text: 'Administrators decide about reported posts, too.' }
  if (list === 'administrators')
    return { title: 'No administrators', text: 'The operator appoints the first one.' }
  return { title: 'No accounts yet', text: 'People who sign up are listed here.' }
}
