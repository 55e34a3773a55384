import { NextIntlClientProvider } from 'next-intl'
import { useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import messages from '@/messages/en.json'
import { DeviceScreen, type DeviceScreenHandle } from '../device-screen'

/** A page with nothing but the screen: `/?device=<id>`. */
function ScreenPage({ deviceId }: { deviceId: string }) {
  const handle = useRef<DeviceScreenHandle>(null)
  const [lease, setLease] = useState('')
  return (
    <>
      <button type="button" onClick={() => handle.current?.takeLease()}>
        Take
      </button>
      <button type="button" onClick={() => handle.current?.pressKey(3)}>
        Home
      </button>
      <output>{lease}</output>
      <div style={{ width: 270, height: 600 }}>
        <DeviceScreen deviceId={deviceId} mayDrive ref={handle} onLease={(holder) => setLease(holder?.name ?? '')} />
      </div>
    </>
  )
}

const place = document.createElement('main')
document.body.append(place)
createRoot(place).render(
  <NextIntlClientProvider locale="en" messages={messages}>
    <ScreenPage deviceId={new URLSearchParams(location.search).get('device') ?? ''} />
  </NextIntlClientProvider>,
)
