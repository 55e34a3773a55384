export type PhoneIdentity = { serial: string; name: string }

/** What `getprop` answers at boot. Values are those of an Android 14 phone of ours. */
export function bootProperties(identity: PhoneIdentity, screen: { density: number }): Map<string, string> {
  return new Map([
    ['dalvik.vm.heapsize', '256m'],
    ['gsm.version.baseband', 'tapline'],
    ['init.svc.adbd', 'running'],
    ['persist.sys.locale', 'en-US'],
    ['persist.sys.timezone', 'UTC'],
    ['ro.board.platform', 'tapline'],
    ['ro.boot.serialno', identity.serial],
    ['ro.build.characteristics', 'default'],
    ['ro.build.fingerprint', 'tapline/vphone/vphone:14/TP1A.000000.001/1:user/release-keys'],
    ['ro.build.id', 'TP1A.000000.001'],
    ['ro.build.type', 'user'],
    ['ro.build.version.release', '14'],
    ['ro.build.version.sdk', '34'],
    ['ro.build.version.security_patch', '2024-01-01'],
    ['ro.debuggable', '0'],
    ['ro.hardware', 'tapline'],
    ['ro.product.brand', 'Tapline'],
    ['ro.product.cpu.abi', 'arm64-v8a'],
    ['ro.product.cpu.abilist', 'arm64-v8a'],
    ['ro.product.device', 'vphone'],
    ['ro.product.locale', 'en-US'],
    ['ro.product.manufacturer', 'Tapline'],
    ['ro.product.model', identity.name],
    ['ro.product.name', 'vphone'],
    ['ro.secure', '1'],
    ['ro.serialno', identity.serial],
    ['ro.sf.lcd_density', String(screen.density)],
    ['ro.tapline.virtual', '1'],
    ['sys.boot_completed', '1'],
  ])
}

/** What `settings get` answers at boot, by `namespace/key`. */
export function bootSettings(): Map<string, string> {
  return new Map([
    ['global/adb_enabled', '1'],
    ['global/airplane_mode_on', '0'],
    ['global/animator_duration_scale', '1.0'],
    ['global/device_name', 'Tapline phone'],
    ['global/stay_on_while_plugged_in', '0'],
    ['global/transition_animation_scale', '1.0'],
    ['global/window_animation_scale', '1.0'],
    ['secure/android_id', '7461706c696e6531'],
    ['secure/default_input_method', 'com.tapline.keyboard/.Keyboard'],
    ['secure/enabled_input_methods', 'com.tapline.keyboard/.Keyboard'],
    ['system/accelerometer_rotation', '0'],
    ['system/screen_brightness', '128'],
    ['system/screen_off_timeout', '60000'],
    ['system/show_touches', '0'],
    ['system/user_rotation', '0'],
  ])
}
