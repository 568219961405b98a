/** What a passkey is asked for, and what becomes of its answer. */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { askPasskey, makePasskey } from './passkey-opener.data.ts'

const answer = new Uint8Array(32).fill(7)
const credentials = { create: vi.fn(), get: vi.fn() }
/** What a browser hands out. */
const credential = (prf?: object) => ({
  rawId: Uint8Array.of(1, 2).buffer,
  getClientExtensionResults: () => ({ prf }),
})
const answering = credential({ results: { first: answer.buffer } })
const askedOf = (mock: typeof credentials.get) => mock.mock.lastCall?.[0].publicKey

beforeEach(() => {
  vi.stubGlobal('navigator', { credentials })
  vi.stubGlobal('location', { hostname: 'kettle.test' })
  for (const mock of Object.values(credentials)) mock.mockReset()
})

describe('making one', () => {
  test('names it after the ratings, and after nobody for whoever reads its number', async () => {
    credentials.create.mockResolvedValue(answering)
    expect(await makePasskey('danas-profile', 'Dana')).toEqual(answer)
    const { user, rp, extensions, authenticatorSelection } = askedOf(credentials.create)
    expect(user).toMatchObject({ name: 'Ratings of Dana', displayName: 'Ratings of Dana' })
    expect(Buffer.from(user.id)).toHaveLength(32)
    expect(Buffer.from(user.id).toString()).not.toContain('dana')
    expect(rp.id).toBe('kettle.test')
    expect(extensions.prf.eval.first).toBeInstanceOf(Uint8Array)
    expect(authenticatorSelection).toEqual({
      residentKey: 'required',
      userVerification: 'required',
    })
  })

  test('asks that very one where it answers later', async () => {
    const made = credential({ enabled: true })
    credentials.create.mockResolvedValue(made)
    credentials.get.mockResolvedValue(answering)
    expect(await makePasskey('danas-profile', 'Dana')).toEqual(answer)
    expect(askedOf(credentials.get).allowCredentials).toEqual([
      { type: 'public-key', id: made.rawId },
    ])
  })

  test.each([{}, { enabled: false }, undefined])(
    'says where it can open nothing (%j)',
    async (prf) => {
      credentials.create.mockResolvedValue(credential(prf))
      await expect(makePasskey('danas-profile', 'Dana')).rejects.toThrow('Use your twelve words')
      expect(credentials.get).not.toHaveBeenCalled()
    },
  )
})

describe('asking one', () => {
  test('takes any of this site, with the same question as when it was made', async () => {
    credentials.create.mockResolvedValue(answering)
    credentials.get.mockResolvedValue(answering)
    await makePasskey('danas-profile', 'Dana')
    expect(await askPasskey()).toEqual(answer)
    const { allowCredentials, rpId, extensions } = askedOf(credentials.get)
    expect({ allowCredentials, rpId }).toEqual({ allowCredentials: [], rpId: 'kettle.test' })
    expect(extensions).toEqual(askedOf(credentials.create).extensions)
  })

  test('that is called off is said in a sentence', async () => {
    credentials.get.mockRejectedValue(new DOMException('no', 'NotAllowedError'))
    await expect(askPasskey()).rejects.toThrow('was cancelled')
  })
})
