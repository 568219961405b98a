import sql from 'sql-template-tag'
import type { Feature } from '#app/api/feature.server.ts'
import { reorderTable } from '#app/platform/database/reorder.server.ts'
import { roomContract } from './room.contract.ts'
import { roomHandlers } from './room-api.server.ts'

export const rooms: Feature = {
  routes({ bind, issuer, hasRateLimits }) {
    bind(roomContract, roomHandlers(issuer, { hasRateLimits }))
  },
  nightly: ({ db }) => [
    {
      name: 'forget the day of room posts',
      run: () => db.query(sql`update room_posts set is_new = false where is_new`),
    },
    // The place of a row would say who wrote before whom, in two rooms.
    { name: 'reorder room_posts', run: () => reorderTable(db, 'room_posts') },
  ],
}
