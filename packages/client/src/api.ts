// Made from openapi.json by `npm run openapi`.

export interface paths {
    "/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with an email address or user name and a password
         * @description Either `email` or `user_name` is required. Both accept an email address or a user name.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/register/public": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register
         * @description Creates a user with the role customer. Members not listed here are ignored. Unless VERIFY_REGISTRATION is set, the response contains a session.
         */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/validation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Validate the current session
         * @description Returns the caller's user and session. For a partial session, `success` is false and the response lists the available second factors. Counts as use of the session.
         */
        get: operations["validateSession"];
        put?: never;
        /**
         * Validate a session whose token is in the body
         * @description Like GET, but also accepts the session token as `session_id` in the body. A token in a header or in the query takes precedence.
         */
        post: operations["validateSessionInBody"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/session/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the session from the cookie after a sign-in with another provider
         * @description Also returns when and how the user authenticated, and the application that the session belongs to. For a partial session, `success` is false.
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the signed-in user
         * @description Includes the members that installed modules add to users. For a partial session, `success` is false and the response lists the available second factors.
         */
        get: operations["getCurrentUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/user/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the signed-in user (for back ends)
         * @description Requires the bridge secret and the user's session, and returns the full user record. With CLIENT_COMPAT, the session alone is enough.
         */
        get: operations["getUserForBridge"];
        put?: never;
        post?: never;
        /**
         * Delete your account
         * @description Requires a sign-in within REAUTH_WINDOW or `current_password`; otherwise, returns REAUTH_REQUIRED. Ends all sessions. The service's administrators can restore the account during DELETED_RETENTION. After that, the data is erased.
         */
        delete: operations["deleteCurrentUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Extend the current session
         * @description Restarts the idle lifetime and sets the cookie again. The session still ends SESSION_ABSOLUTE_TTL after sign-in, and its token does not change.
         */
        post: operations["refreshSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description For an application session, also ends the browser session it was created from and the sessions of all other applications. `scope=application` ends only the application session.
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/invalidate/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invalidate the caller's cached sessions on all nodes
         * @description No session ends. The next request of each of the caller's sessions reads the user and the session from the database.
         */
        post: operations["invalidateCache"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/bridge/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Validate one or more sessions (for back ends)
         * @description The session token is read from the body, the query, the X-Session-ID header or the `Authorization: Bearer` header, in this order. With `session_ids`, up to 500 sessions are validated in one request. An invalid session among them does not cause an error response.
         */
        post: operations["validateSessionForBridge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/bridge/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream session changes to back ends
         * @description Server-sent events: `start` (process, time, max_age), `heartbeat` every 300 ms (process, time, age), `revoked` (user_id, epoch) and `missed`. docs/architecture/sessions.md describes how to use them safely.
         */
        get: operations["streamBridgeEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Authenticate a request for a gateway
         * @description For gateways such as nginx, Caddy and Traefik, which send an authentication request before forwarding a request. The session is read from X-Session-ID, `Authorization: Bearer` or the cookie that the gateway forwards. The user is described by the headers X-Auth-User-Id, X-Auth-Email, X-Auth-Email-Verified, X-Auth-Name, X-Auth-User-Type, X-Auth-Session-Id, X-Auth-Time and X-Auth-Methods; text is percent-encoded UTF-8. An application session is rejected unless `application` specifies its application. If the visitor opens a page, a 401 response contains the sign-in URL in X-Auth-Login. With `redirect=true` or the `X-Auth-Redirect: true` header, the response is a 302 to that URL instead.
         */
        get: operations["verifyForGateway"];
        put?: never;
        /**
         * Authenticate a request for a gateway
         * @description For gateways such as nginx, Caddy and Traefik, which send an authentication request before forwarding a request. The session is read from X-Session-ID, `Authorization: Bearer` or the cookie that the gateway forwards. The user is described by the headers X-Auth-User-Id, X-Auth-Email, X-Auth-Email-Verified, X-Auth-Name, X-Auth-User-Type, X-Auth-Session-Id, X-Auth-Time and X-Auth-Methods; text is percent-encoded UTF-8. An application session is rejected unless `application` specifies its application. If the visitor opens a page, a 401 response contains the sign-in URL in X-Auth-Login. With `redirect=true` or the `X-Auth-Redirect: true` header, the response is a 302 to that URL instead.
         */
        post: operations["verifyForGatewayByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/bridge/redeem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem a handover code
         * @description Creates an application session for the user whose browser returned with `code`. A code can be used once, within 60 seconds, and only with the return address and code challenge for which it was issued. Redeeming the code again ends the session that it created. No cookie is set.
         */
        post: operations["redeemHandover"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/token/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request or redeem a sign-in link or code
         * @description With `identifier`, a link and a code are sent to the email address or phone number. The response is the same for known and unknown identifiers. With `token`, or with `token_id` and `code`, the user is signed in. Using the link invalidates the code, and using the code invalidates the link. Back ends can send the end user's `ip`, `user_agent` and `device_id`.
         */
        post: operations["signInWithToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/token/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Redeem a sign-in link or code (for back ends)
         * @description Signs the user in and returns the session to the back end. No cookie is set. The end user's `ip`, `user_agent` and `device_id` are stored with the session. Consumes the token. Intended for programs, not for links in messages.
         */
        get: operations["redeemTokenLinkForBridge"];
        put?: never;
        /**
         * Redeem a sign-in link or code (for back ends)
         * @description Signs the user in and returns the session to the back end. No cookie is set. The end user's `ip`, `user_agent` and `device_id` are stored with the session.
         */
        post: operations["redeemTokenForBridge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/resend-verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend the verification email
         * @description Requires an email address or a full session. The response is the same for known and unknown addresses. Without `email` in the request, the email is sent to your own address, and the message states whether an email is sent.
         */
        post: operations["resendVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/token/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open a verification link
         * @description Browsers receive a page with a confirmation button, and the token is not consumed. With `format=json`, or an Accept header that contains application/json but not text/html, the token is consumed immediately.
         */
        get: operations["openVerificationLink"];
        put?: never;
        /**
         * Verify an email address
         * @description Requires the `token` from the link, or `email` and the `code` from the same email. Using the link invalidates the code, and using the code invalidates the link. JSON requests get a JSON response. Browsers that submit the confirmation form are redirected to the front end.
         */
        post: operations["verifyEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password-reset/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a password reset
         * @description The response is the same for known and unknown email addresses.
         */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password-reset/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check a password reset link
         * @description Does not consume the token.
         */
        get: operations["validatePasswordResetLink"];
        put?: never;
        /**
         * Check a password reset link or code
         * @description Does not consume the token or code. A wrong code counts as an attempt.
         */
        post: operations["validatePasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password-reset/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password with a mailed link or code
         * @description Requires the `token` from the link, or `email` and the `code` from the same email. Using the link invalidates the code, and using the code invalidates the link. Ends all of the user's sessions. If the password is rejected, the link and the code stay valid. With RESET_AUTO_LOGIN, the response is the same as for a sign-in.
         */
        post: operations["completePasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password-check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check whether a password would be accepted
         * @description For forms that check a password as the user types. Nothing is stored. With a session, the password is checked for the session's user. Lists of breached passwords are checked only when the password is set.
         */
        post: operations["checkPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password-change/self": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change your own password
         * @description Ends all other sessions. Users without a password omit `current_password` and need a recent sign-in (REAUTH_WINDOW).
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/reauthenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm your identity
         * @description For actions that require a recent sign-in (REAUTH_WINDOW). Send exactly one of these: the password, a second factor (`code` and `method_id`), or a passkey's `response` to a challenge started with the reauth action. A wrong password counts as a failed sign-in.
         */
        post: operations["reauthenticate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/email-change/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a change to the login email address
         * @description A link is sent to both email addresses. The address changes once both links have been confirmed. A new request replaces the pending one. The response does not reveal whether another user has the address.
         */
        post: operations["requestEmailChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/email-change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the pending email change
         * @description Returns `status: none` if no change is pending. Does not reveal whether the new address belongs to another user.
         */
        get: operations["getEmailChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/email-change/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open a link that confirms an email change
         * @description Browsers receive a page with a confirmation button, and the token is not consumed. With `format=json`, or an Accept header that contains application/json but not text/html, the token is consumed immediately.
         */
        get: operations["openEmailChangeLink"];
        put?: never;
        /**
         * Confirm an email change from one inbox
         * @description The inboxes can confirm in any order. The second confirmation completes the change, ends all other sessions and invalidates all of the user's other links. EMAIL_TAKEN is returned only at the second confirmation, if another user has taken the address. Browsers that submit the form are redirected to the front end.
         */
        post: operations["confirmEmailChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/email-change/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open a link that cancels an email change
         * @description Browsers receive a page with a confirmation button, and the token is not consumed. With `format=json`, or an Accept header that contains application/json but not text/html, the token is consumed immediately.
         */
        get: operations["openEmailChangeCancelLink"];
        put?: never;
        /**
         * Cancel an email change
         * @description Requires the token from the email to the current address, or a session. Browsers that submit the form are redirected to the front end.
         */
        post: operations["cancelEmailChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your profile
         * @description Returns all members that PUT /auth/profile can change, and whether the user has a password.
         */
        get: operations["getProfile"];
        /**
         * Update your profile
         * @description Absent members are not changed. Members not listed here are ignored.
         */
        put: operations["updateProfile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/user/me/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export your personal data
         * @description Requires a sign-in or POST /auth/reauthenticate within REAUTH_WINDOW; otherwise, returns REAUTH_REQUIRED. Contains no secrets or hashes, and no data from modules that are not installed.
         */
        get: operations["exportUserData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions
         * @description Returns the active sessions, newest first. A session with status `pending` has not verified its second factor yet.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * End all your other sessions
         * @description Requires a sign-in within REAUTH_WINDOW or `current_password`; otherwise, returns REAUTH_REQUIRED.
         */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of your sessions
         * @description An application session must call POST /auth/reauthenticate before it ends a session from another sign-in.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/upload/picture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload your profile picture
         * @description Accepts JPEG, PNG, WebP or GIF (first frame), detected by content, up to 8192 × 8192 pixels and UPLOAD_MAX_BYTES. The picture is stored as WebP without metadata, with sides of at most 1024 pixels and a 96 × 96 pixel thumbnail. It replaces the previous picture.
         */
        post: operations["uploadPicture"];
        /**
         * Delete your profile picture
         * @description Succeeds even if there is no picture.
         */
        delete: operations["deletePicture"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/pictures/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a picture
         * @description The name is part of the URL returned by the upload. The picture with a given name never changes.
         */
        get: operations["getPicture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/social/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sign-in providers
         * @description `providers` contains the providers that are configured. `allProviders` also contains those that are not.
         */
        get: operations["listProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/social/{provider}/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Start a sign-in with a provider
         * @description Redirects the browser. With `format=json`, or an Accept header that contains application/json but not text/html, returns the URL instead. After the sign-in, the browser returns to `return_to` with `code`, `state` or `error` in the query, as after a sign-in on the service's pages. `link=true` adds the identity to the signed-in user and requires a recent sign-in.
         */
        get: operations["startSocialSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/social/{provider}/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start linking a provider to your account
         * @description Returns the URL to redirect the browser to. Requires a sign-in within REAUTH_WINDOW or `current_password`.
         */
        post: operations["linkProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/social/{provider}/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Complete a sign-in with a provider
         * @description Called by the browser when it returns from the provider. Redirects to the front end with the session in the cookie. With `format=json` in this request or in the request that started the sign-in, the response contains the session.
         */
        get: operations["completeSocialSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/social/{provider}/login-api": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a provider token from an app
         * @description Send exactly one of `id_token`, `access_token` and `code`. An ID token can be used once. Access tokens are accepted from providers that report their audience: google, github, facebook and discord.
         */
        post: operations["signInWithProviderToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/social/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your linked identities
         * @description Contains the identities that can sign in to the caller's account, with the email address that each provider reported.
         */
        get: operations["listLinkedProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/social/accounts/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Unlink a provider from your account
         * @description Ends all other sessions. The only sign-in method cannot be unlinked. Requires a sign-in within REAUTH_WINDOW or `current_password`.
         */
        delete: operations["unlinkProvider"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the first superadmin
         * @description Requires the token from the setup link printed at startup. The link can be used once.
         */
        post: operations["setUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password-change/admin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set another user's password
         * @description Ends all of the user's sessions and unlocks the account. Only a superadmin can set a superadmin's password.
         */
        post: operations["setUserPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/users/{user_id}/impersonate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Act as another user
         * @description Requires a sign-in or reauthentication within REAUTH_WINDOW. Creates a session for the user that lasts at most 15 minutes and cannot be extended. Only routes with `x-while-impersonating: allowed` accept it, and these routes change nothing. It cannot be handed over to applications. It ends earlier if your own session ends, you lose your role, or the user is blocked, is deleted or ends the session. Superadmins, admins and support agents cannot be impersonated. If you authenticate with the cookie, your own session is stored in a second cookie until POST /auth/impersonation/stop.
         */
        post: operations["createImpersonation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/impersonation/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop acting as another user
         * @description Ends the impersonated session. In a browser, the superadmin's own session is restored from its cookie, even if the impersonated session has already ended.
         */
        post: operations["endImpersonation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/users/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change many users
         * @description Changes the users one at a time, under the rules of the single-user route, and continues after a failure. `results` and `ids` have the same order. After 25 seconds, the remaining users are not changed and get the code UNAVAILABLE: resend their ids. Each administrator can run one of these requests at a time. Requires a sign-in or reauthentication within REAUTH_WINDOW.
         */
        post: operations["changeUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/users/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the users that match a search
         * @description Streams up to 100,000 matching users, ordered by id. A search with more matches is rejected. Requires a sign-in or reauthentication within REAUTH_WINDOW. If the response is cut off, the file is incomplete: repeat the request. In CSV, cells that a spreadsheet would evaluate start with an apostrophe.
         */
        get: operations["exportUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the audit events that match a search
         * @description Streams up to 100,000 matching events, newest first. A search with more matches is rejected. The file contains only events that you can list. Requires a sign-in or reauthentication within REAUTH_WINDOW. If the response is cut off, the file is incomplete: repeat the request. In CSV, cells that a spreadsheet would evaluate start with an apostrophe.
         */
        get: operations["exportAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the figures for the overview page
         * @description `periods` are hours, days or months in UTC. A job updates their counts every minute. `counted_at` is the time of the last update, or null before the first one. `measured_at` applies to `live_sessions` and `second_factor_people`, which are counted every 15 minutes, or every minute while there are at most 1,000 users and live sessions. Above about a million users or sessions, they are estimated from a sample. Message and deletion counts stop at 1,000.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/lockouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List accounts locked after failed sign-ins
         * @description Lists up to 1,000 locks, newest first, and accounts that have used up their attempts for the next minutes. Superadmins see all accounts. Other administrators do not see superadmins.
         */
        get: operations["listLockouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/users/{user_id}/unlock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unlock an account after failed sign-ins
         * @description Clears the failed attempts. A blocked user remains blocked. Only a superadmin can unlock a superadmin. Requires a sign-in or reauthentication within REAUTH_WINDOW. Succeeds even if the account is not locked.
         */
        post: operations["unlockUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/bridge-secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the configured bridge secrets and their last use
         * @description Returns names, never values. Nodes store their counts once a minute, so recent requests may be missing. The periods are 24 hours and 30 days. `last_used_at` is null if the use of the secret was never recorded.
         */
        get: operations["listBridgeSecrets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/security": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the numbers of live sessions and of requests rejected by rate limits
         * @description A job counts the sessions every 15 minutes: `measured_at` is null before the first count. Nodes store the numbers of rejected requests once a minute. Limits that rejected no request in the last 30 days are not listed.
         */
        get: operations["getSecurityFigures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search users
         * @description A user must match all given filters. Unknown parameters are rejected, and deleted users are found only with `deleted=true`.
         */
        get: operations["searchUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search users (deprecated path)
         * @deprecated
         * @description Use GET /auth/users.
         */
        get: operations["searchUsersDeprecated"];
        put?: never;
        /**
         * Create a user
         * @description Only a superadmin can create a superadmin.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a user and their sessions
         * @description Returns up to 50 sessions that are active or ended in the last 30 days. `sessionCount` is the number of active sessions.
         */
        get: operations["getUser"];
        /**
         * Update a user
         * @description Send at least one member. Absent members are not changed, and members not listed here are ignored. Only a superadmin can change or appoint a superadmin. You cannot change your own role, verification or second factor here. Changing the role or `two_factor` ends all of the user's sessions.
         */
        put: operations["updateUser"];
        post?: never;
        /**
         * Delete a user
         * @description Ends all sessions and invalidates all links and codes. The user can be restored during DELETED_RETENTION. After that, the data is erased.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/users/{user_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted user
         * @description Only during DELETED_RETENTION. Ends all of the user's sessions. Only a superadmin can restore a superadmin.
         */
        post: operations["restoreUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/users/{user_id}/block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Block a user
         * @description Ends all sessions and forgets remembered browsers. Until the block ends, sign-ins and password resets with correct credentials are rejected with ACCOUNT_BLOCKED. A new block replaces the previous one. Only a superadmin can block a superadmin. You cannot block yourself.
         */
        post: operations["blockUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/users/{user_id}/unblock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unblock a user
         * @description The user can sign in again. Sessions ended by the block are not restored.
         */
        post: operations["unblockUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/users/{user_id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a user a link
         * @description Emails the user a link: `password_reset` to set a new password, `sign_in_link` to sign in, `verification` to verify an address that is not verified yet, or `invitation` to accept an invitation that the user has not accepted yet. A new invitation invalidates the earlier one. If the limit on emails to one address is reached, the response is RATE_LIMITED. If the service is not configured to send emails, the response is NOT_CONFIGURED. Only a superadmin can send a link to a superadmin.
         */
        post: operations["sendUserMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/users/{user_id}/email-change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a change of a user's email address
         * @description The change must be confirmed from both inboxes, as when users start it. Replaces a pending change. Only a superadmin can change a superadmin's address.
         */
        post: operations["startUserEmailChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/users/{user_id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End all of a user's sessions
         * @description Ends full and partial sessions, and forgets the browsers that the user chose to remember. Only a superadmin can end a superadmin's sessions.
         */
        delete: operations["endUserSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/users/{user_id}/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of a user's sessions
         * @description Also ends the application sessions that were created from the session. Only a superadmin can end a superadmin's sessions.
         */
        delete: operations["endUserSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit events, newest first
         * @description Superadmins see all events. Other administrators do not see events that a superadmin caused or was affected by. `total` counts no events beyond the last page that can be requested.
         */
        get: operations["listAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/audit/seals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the newest seals of the audit trail
         * @description Checks the newest 100 seals, and the events of the newest three. `wardenry doctor` checks all seals. `state` is `verified`, `broken` if a seal does not match, `incomplete` if a seal's key is missing or events older than an hour have no seal, or `none` if there is no seal yet.
         */
        get: operations["getAuditSeals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read events in order
         * @description Returns events, oldest first. Pass `next` as `after` in the next request. Events are numbered after they are committed, so no event is missed. An event can be read about a second after the change. Events are kept for `EVENT_RETENTION`. If events after the cursor are missing because they were deleted or the database was restored from a backup, the response is 410 `EVENTS_EXPIRED`. Then read all users again and continue with the cursor that a request without `after` returns. Only superadmins see events about the sessions, factors and identities of superadmins.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description The response contains neither the signing secrets nor the values of custom headers.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description New events that match `events` are sent to `url` with the headers and signatures of the Standard Webhooks specification. Requires a sign-in or reauthentication within REAUTH_WINDOW.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description The response contains neither the signing secret nor the values of custom headers.
         */
        get: operations["getWebhook"];
        /**
         * Update a webhook
         * @description Waiting deliveries are sent to the new URL. If the webhook is paused, the pause ends. Requires a sign-in or reauthentication within REAUTH_WINDOW.
         */
        put: operations["updateWebhook"];
        post?: never;
        /**
         * Delete a webhook and its log
         * @description Waiting deliveries are discarded. Requires a sign-in or reauthentication within REAUTH_WINDOW.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/webhooks/{webhook_id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a new signing secret
         * @description Until the next rotation, each request has two signatures: one with the new secret and one with the former secret. Replace the secret in the receiver in the meantime. Requires a sign-in or reauthentication within REAUTH_WINDOW.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/webhooks/{webhook_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends the event `webhook.test` to this webhook only. Requires a sign-in or reauthentication within REAUTH_WINDOW.
         */
        post: operations["sendTestEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/webhooks/{webhook_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver events again
         * @description Repeats one delivery (`delivery_id`), all failed deliveries (`failed`), or the events of a time span (`from`, `to`) that match the webhook's events, at most 100000, oldest first. Requires a sign-in or reauthentication within REAUTH_WINDOW.
         */
        post: operations["replayDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/webhooks/{webhook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook, newest first
         * @description Deliveries are kept as long as their event: for `EVENT_RETENTION`.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/webhooks/{webhook_id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery with its event and its last 50 attempts
         * @description Contains the start of each response that the receiver sent, so that you can find out why it rejected the event.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/outbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List messages of the last seven days, newest first
         * @description Contains neither message contents nor complete email addresses or phone numbers. `dropped` messages were not sent because their link or code had expired. `total` counts no messages beyond the last page that can be requested.
         */
        get: operations["listMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/outbox/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send failed messages again
         * @description Without `ids`, resends up to 1,000 failed messages, oldest first. Messages that cannot be resent are skipped.
         */
        post: operations["retryMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/outbox/{message_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a failed message again, or a queued message immediately
         * @description The content of a failed message is stored for a day, unless the mail server permanently rejected the message. Messages with an expired link or code cannot be resent.
         */
        post: operations["retryMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List messages and the state of their templates
         * @description Contains all messages in all languages, and for each one whether the built-in message or a stored template is sent.
         */
        get: operations["listMessageTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/messages/{name}/{lang}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the template of a message
         * @description Contains the text in use, the built-in text, and the placeholders that a template can or must contain.
         */
        get: operations["getMessageTemplate"];
        /**
         * Replace the built-in message
         * @description Templates support placeholders such as `{{name}}` but no other template syntax. Requires a sign-in or reauthentication within REAUTH_WINDOW.
         */
        put: operations["updateMessageTemplate"];
        post?: never;
        /**
         * Restore the built-in message
         * @description Earlier versions remain readable. Requires a sign-in or reauthentication within REAUTH_WINDOW.
         */
        delete: operations["resetMessageTemplate"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/messages/{name}/{lang}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the last 20 versions of a template, newest first
         * @description States who made each change and when. The texts are not included.
         */
        get: operations["listMessageTemplateVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/messages/{name}/{lang}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a version of a template
         * @description Returns the texts as they were stored, so that you can compare them or store them again.
         */
        get: operations["getMessageTemplateVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/messages/{name}/{lang}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Render a message with sample values
         * @description Without a `subject` and a `text`, renders the message in use. Nothing is stored or sent.
         */
        post: operations["previewMessageTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/messages/{name}/{lang}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message with sample values to your own email address
         * @description If `subject` and `text` are omitted, sends the current message. The subject begins with `[Test]`.
         */
        post: operations["sendTestMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all settings with their values and sources
         * @description The values of secrets are not returned.
         */
        get: operations["listSettings"];
        /**
         * Change or reset settings
         * @description If a change is invalid, no changes are made. The responding node applies the changes before it responds, and the other nodes apply them within a second, or within four seconds if messages between nodes are lost. In the details of a VALIDATION_ERROR, `field` is a setting name. Requires a sign-in or reauthentication within REAUTH_WINDOW.
         */
        put: operations["updateSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/modules/install": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List modules and their installed components
         * @description Compares the components in this release with the database. Does not change anything.
         */
        get: operations["listModules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/modules/install/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of the module hub
         * @description States which tables of the module hub exist, and whether an installation is in progress.
         */
        get: operations["getHubStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/modules/install/{module_id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a module and its installed components
         * @description Compares each component with the database, and states the action that an installation would take.
         */
        get: operations["getModule"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/modules/install/{module_id}/registry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the installation history of a module
         * @description Newest first. Each entry contains the version and the checksum of the SQL that was executed.
         */
        get: operations["getModuleRegistry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/modules/install/{module_id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a module, newest first
         * @description Includes failed runs, with reasons. `actor_id` is null for runs at service startup or from the command line.
         */
        get: operations["listModuleRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/two_factor/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the available two-factor methods
         * @description States whether two-factor sign-in is enabled for this service. Does not require a session.
         */
        get: operations["getTwoFactorSystem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/two_factor/methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your second factors
         * @description All recovery codes appear as one entry.
         */
        get: operations["listTwoFactorMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/two_factor/{method}/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start setting up a second factor
         * @description The factor becomes active when POST /auth/two_factor/verify accepts a code from it with the setup action. Only this request returns the seed of an authenticator. Requires a recent sign-in or `current_password`. If a second factor is enabled, the session must also have been confirmed with it. Otherwise, returns REAUTH_REQUIRED.
         */
        post: operations["setUpTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/two_factor/{method}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send or resend a code
         * @description A new code invalidates the previous one. If the limit for sent codes is reached, no code is sent, and the previous code stays valid. Authenticator apps and recovery codes do not need this request.
         */
        post: operations["startTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/two_factor/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a second factor
         * @description With a partial session, this completes the sign-in: the session becomes a full session, and its token can change. With a full session, `action` specifies the action to confirm. Five wrong codes end a partial session. An account allows ten wrong codes per 15 minutes.
         */
        post: operations["verifyTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/two_factor/toggle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable or disable two-factor sign-in
         * @description Enabling requires an active method and a recent sign-in or `current_password`. Disabling requires a code, or a recent confirmation with the toggle action. Without either, a code is sent to the default method.
         */
        post: operations["toggleTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/two_factor/{method_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a second factor
         * @description Removing an active factor requires a code from another active factor (or from the same factor if it is the only one), a recovery code, or a recent confirmation with the remove action. Removing the last factor disables two-factor sign-in.
         */
        delete: operations["removeTwoFactorMethod"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/two_factor/recovery/regenerate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate new recovery codes
         * @description Invalidates the previous codes, ends all other sessions and notifies the user by email. Requires a recent sign-in or `current_password`. If a second factor is enabled, the session must also have been confirmed with it. Otherwise, returns REAUTH_REQUIRED.
         */
        post: operations["regenerateRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkey/login/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a sign-in with a passkey
         * @description Pass `options` to the browser, and send its response with `challenge_id` to POST /auth/passkey/login.
         */
        post: operations["startPasskeySignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkey/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a passkey
         * @description A passkey whose authenticator has verified the user counts as two factors and creates a full session. The error is the same for unknown passkeys and wrong responses.
         */
        post: operations["signInWithPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/users/{user_id}/two_factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a user's second factors
         * @description For users who have lost their second factor. Removes all methods and recovery codes, sets `two_factor` to false, ends all of the user's sessions and notifies the user by email. Only a superadmin can remove a superadmin's second factors. You cannot remove your own second factors with this route.
         */
        delete: operations["resetUserTwoFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/user/me/privacy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your consent, opt-out and region
         * @description Each time is the time at which the service recorded the choice; null if there was none.
         */
        get: operations["getPrivacy"];
        /**
         * Update your consent, opt-out or region
         * @description Send at least one member. Absent members are not changed. The service sets the consent times. A GDPR consent requires a version, from the request or from GDPR_CONSENT_VERSION. A different version is a new consent. Every change is recorded in the history.
         */
        put: operations["updatePrivacy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/user/me/privacy/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your privacy choices, newest first
         * @description Contains the previous and the new value of each choice, but not the IP address and device recorded with it.
         */
        get: operations["listPrivacyHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/user/me/privacy/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export your personal data immediately
         * @description Requires a sign-in or POST /auth/reauthenticate within REAUTH_WINDOW; otherwise, returns REAUTH_REQUIRED. Contains no secrets or hashes.
         */
        get: operations["getPrivacyExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/user/me/privacy/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a file with your personal data
         * @description Emails you a link that can be used once and expires after 24 hours. Requires a sign-in within REAUTH_WINDOW or `current_password`. While an export is in progress, another request does not start a new one. A new export invalidates the link of the previous export.
         */
        post: operations["requestPrivacyExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/user/me/privacy/delete-request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of your deletion request
         * @description Returns `status: none` if there is no request. `scheduled_for` is the time of the deletion.
         */
        get: operations["getDeletionRequest"];
        put?: never;
        /**
         * Request the deletion of your account
         * @description The account is deleted after PRIVACY_DELETION_GRACE, during which you can cancel the request. Requires a sign-in within REAUTH_WINDOW or `current_password`. Repeating the request has no effect. DELETE /auth/user/me deletes the account immediately.
         */
        post: operations["requestDeletion"];
        /**
         * Cancel the deletion of your account
         * @description Possible until PRIVACY_DELETION_GRACE has passed. The user is notified by email.
         */
        delete: operations["cancelDeletion"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/privacy/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all users' deletion requests and exports
         * @description Open requests are pending deletions, and exports that have not been downloaded. The earliest deadline comes first. Closed requests are cancelled deletions. Completed deletions are in the audit trail.
         */
        get: operations["listPrivacyRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/users/{user_id}/privacy/delete-request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request the deletion of a user
         * @description Notifies the user by email. The user is deleted after PRIVACY_DELETION_GRACE and can cancel until then.
         */
        post: operations["requestUserDeletion"];
        /**
         * Cancel the deletion of a user
         * @description The user is notified by email.
         */
        delete: operations["cancelUserDeletion"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/users/{user_id}/privacy/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a user their data export
         * @description The link is sent only to the user's email address.
         */
        post: operations["sendUserExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/privacy/exports/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the link to your data export
         * @description Browsers receive a page with a confirmation button, and the token is not consumed. With `format=json`, or an Accept header that contains application/json but not text/html, the token is consumed immediately.
         */
        get: operations["openPrivacyExportLink"];
        put?: never;
        /**
         * Download your data export
         * @description Consumes the link. The file is then deleted.
         */
        post: operations["downloadPrivacyExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/onboarding": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your onboarding status
         * @description Contains the next step, the completed and skipped steps, and their data. Write-only members are never returned.
         */
        get: operations["getOnboarding"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/onboarding/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start your onboarding
         * @description The body is stored as `data.start`. Has no effect if onboarding has already started. The combined data of all steps is limited to 16 KiB as JSON. team_size_range and names starting with acquisition_ are accepted only when onboarding is completed.
         */
        post: operations["startOnboarding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/onboarding/steps/{step}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a step of your onboarding
         * @description The body is stored as `data.<step>`. The combined data of all steps is limited to 16 KiB as JSON. team_size_range and names starting with acquisition_ are accepted only when onboarding is completed.
         */
        post: operations["completeOnboardingStep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/onboarding/steps/{step}/skip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Skip a step of your onboarding
         * @description Stores no data. The step is no longer returned as the next step.
         */
        post: operations["skipOnboardingStep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/onboarding/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete your onboarding
         * @description Can be repeated to update the business members and team_size_range. Acquisition values are stored by the first request that contains them and cannot be changed later. Write-only members are never returned.
         */
        post: operations["completeOnboarding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/user/me/onboarding": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete your onboarding (user route)
         * @description Can be repeated to update the business members and team_size_range. Acquisition values are stored by the first request that contains them and cannot be changed later. Write-only members are never returned.
         */
        post: operations["completeOwnOnboarding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a post by its slug
         * @description A post id and a former slug of a published post are also accepted.
         */
        get: operations["getPostBySlug"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/id/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a post by its id
         * @description Posts that the caller may not read return 404. A post with a password requires the X-Post-Password header.
         */
        get: operations["getPost"];
        /**
         * Update a post
         * @description Allowed for the post's owner and administrators. Absent members are not changed.
         */
        put: operations["updatePost"];
        post?: never;
        /**
         * Delete a post
         * @description Moves the post to the trash, from which it can be restored for BLOG_TRASH_DAYS. With force=true (only for administrators), the post is permanently deleted.
         */
        delete: operations["deletePost"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List posts
         * @description Returns the posts that the caller can read. Only the owner and administrators see more than the title of a password-protected post.
         */
        get: operations["listPosts"];
        put?: never;
        /**
         * Create a post
         * @description The caller becomes the owner. A post is a draft unless `status` is set. If its type requires approval, only administrators can publish it, and other writers' posts become `pending`.
         */
        post: operations["createPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a post body
         * @description Renders and sanitizes a body in the same way as saving a post does. Nothing is stored.
         */
        post: operations["previewPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/id/{id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish a post
         * @description Only for the owner and administrators. If the type requires approval, a writer's post becomes `pending` instead.
         */
        post: operations["publishPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/id/{id}/unpublish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unpublish a post
         * @description Only for the owner and administrators. The post becomes a draft, and its preview links are revoked.
         */
        post: operations["unpublishPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/id/{id}/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Schedule a post
         * @description Only for the owner and administrators. The post becomes readable at `scheduled_at`. If the type requires approval, a writer's post becomes `pending` and keeps the time.
         */
        post: operations["schedulePost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/id/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a post from the trash
         * @description The post becomes a draft. If its slug is in use, the post gets a new one. Its preview links remain revoked.
         */
        post: operations["restorePost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/id/{id}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a post's revisions
         * @description Newest first.
         */
        get: operations["listRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/id/{id}/revisions/{revision_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a post revision
         * @description Contains the source of the body, not the rendered HTML. Only the owner and administrators can read revisions.
         */
        get: operations["getRevision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/id/{id}/revisions/{revision_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a post revision
         * @description The current content is saved as a revision first. The status of the post is not changed.
         */
        post: operations["restoreRevision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/id/{id}/translations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the translations of a post
         * @description Contains the texts of all translations. Posts that the caller may not read return 404.
         */
        get: operations["listTranslations"];
        put?: never;
        /**
         * Translate a post
         * @description Any writer who can read the post can add a translation. Its translator, the post's owner and administrators can update it. The slug is derived from the first title.
         */
        post: operations["saveTranslation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/id/{id}/translations/{lang}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Update a translation
         * @description Absent members are not changed.
         */
        put: operations["updateTranslation"];
        post?: never;
        /**
         * Delete a translation
         * @description Only for the translator, the owner of the post and administrators. The original does not change.
         */
        delete: operations["deleteTranslation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List comments on all posts
         * @description Only for moderators. By default, returns pending comments.
         */
        get: operations["listCommentsToModerate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/id/{id}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the comments on a post
         * @description Returns approved comments and your own pending comments. Moderators see all comments. A deleted comment with replies stays in the list without its text.
         */
        get: operations["listComments"];
        put?: never;
        /**
         * Comment on a post
         * @description Comments are nested at most five levels deep. Deeper replies are attached to the deepest comment that can have replies.
         */
        post: operations["createComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/comments/{comment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a comment
         * @description Authors can change their comments during COMMENTS_EDIT_WINDOW; the change is moderated like a new comment. Moderators can change comments at any time.
         */
        put: operations["updateComment"];
        post?: never;
        /**
         * Delete a comment
         * @description Allowed for the comment's author, the post's owner, and moderators.
         */
        delete: operations["deleteComment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/comments/{comment_id}/moderate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Moderate a comment
         * @description Send `action` or `status`.
         */
        post: operations["moderateComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/id/{id}/reactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the reactions to a post
         * @description Contains the number of each reaction and, with a session, the caller's own reaction.
         */
        get: operations["getReactions"];
        put?: never;
        /**
         * React to a post
         * @description A user has one reaction per post. Sending the same reaction again removes it; another reaction replaces it.
         */
        post: operations["addReaction"];
        /**
         * Remove a reaction
         * @description Removes the caller's own reaction. Has no effect if there is none.
         */
        delete: operations["removeReaction"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/me/bookmarks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your bookmarks
         * @description Newest first. Includes only posts that you can still read.
         */
        get: operations["listBookmarks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/id/{id}/bookmark": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bookmark a post
         * @description Has no effect if the post is already bookmarked.
         */
        post: operations["bookmarkPost"];
        /**
         * Remove a bookmark
         * @description Removes the caller's own bookmark. Has no effect if there is none.
         */
        delete: operations["removeBookmark"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/id/{id}/view": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count a view of a post
         * @description Counts one view per viewer and day (UTC). Does not count views of unpublished posts or views by the owner or known bots. No IP address is stored.
         */
        post: operations["countPostView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/id/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get post statistics
         * @description The owner and administrators also get the daily views for the last 30 days.
         */
        get: operations["getPostStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List categories
         * @description Ordered by sort_order, then by name.
         */
        get: operations["listCategories"];
        put?: never;
        /**
         * Create a category
         * @description A slug that is not given is derived from the name. Categories can be nested up to eight levels deep.
         */
        post: operations["createCategory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/categories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a category by its id or slug
         * @description `post_count` includes only published public posts.
         */
        get: operations["getCategory"];
        /**
         * Update a category
         * @description Absent members are not changed. The slug does not change with the name.
         */
        put: operations["updateCategory"];
        post?: never;
        /**
         * Delete a category
         * @description Its child categories move to its parent.
         */
        delete: operations["deleteCategory"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tags
         * @description Ordered by name.
         */
        get: operations["listTags"];
        put?: never;
        /**
         * Create a tag
         * @description A slug that is not given is derived from the name. Names and slugs are unique in each language.
         */
        post: operations["createTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/tags/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a tag by its id or slug
         * @description `post_count` includes only published public posts.
         */
        get: operations["getTag"];
        /**
         * Update a tag
         * @description Absent members are not changed. The slug does not change with the name.
         */
        put: operations["updateTag"];
        post?: never;
        /**
         * Delete a tag
         * @description Posts with the tag are not deleted. They lose the tag.
         */
        delete: operations["deleteTag"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/tags/{id}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge a tag into another tag
         * @description All posts with the tag get the other tag, and the tag is deleted together with its slug. Both tags must have the same language. Nothing else about the posts changes: updated_at stays the same, and no revision is created.
         */
        post: operations["mergeTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/authors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List authors
         * @description Returns the authors of public posts. Authors with the most posts come first.
         */
        get: operations["listAuthors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/authors/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an author
         * @description Only for users with published public posts. Contains neither the user name nor the email address.
         */
        get: operations["getAuthor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/id/{id}/featured-image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a post's featured image
         * @description Accepts JPEG, PNG, WebP or GIF (first frame) with at most 8192 × 8192 pixels and UPLOAD_MAX_BYTES. The format is detected from the content. The image is stored as WebP without metadata, with sides of at most 2400 pixels. It replaces the previous image. The part can also be named file, featured_image or picture.
         */
        post: operations["uploadFeaturedImage"];
        /**
         * Remove a post's featured image
         * @description Succeeds even if there is no image.
         */
        delete: operations["deleteFeaturedImage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/sitemap.xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the sitemap of all public posts
         * @description If there are more than 50,000 URLs, returns an index of parts (`page`). Supports conditional requests (304).
         */
        get: operations["getSitemap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/sitemap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the URLs of all public posts
         * @description Contains the URL and the last change of each post and translation that everyone may read.
         */
        get: operations["listSitemapAddresses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/feed.xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the post feed as RSS 2.0
         * @description Newest first. Supports conditional requests (304).
         */
        get: operations["getRssFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/feed.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the post feed as Atom 1.0
         * @description Newest first. Supports conditional requests (304).
         */
        get: operations["getAtomFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/feed.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the post feed as JSON Feed 1.1
         * @description Newest first. Supports conditional requests (304).
         */
        get: operations["getJsonFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/id/{id}/preview-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the valid preview links of a post
         * @description Newest first. The tokens are not stored and cannot be listed.
         */
        get: operations["listPreviewLinks"];
        put?: never;
        /**
         * Create a preview link for an unpublished post
         * @description Anyone who has the link can read the post for 7 days, regardless of its visibility and password. A post has at most 20 valid links. The token is returned only in this response.
         */
        post: operations["createPreviewLink"];
        /**
         * Revoke all preview links of a post
         * @description Only for the owner of the post and administrators. The links return 404 immediately.
         */
        delete: operations["revokePreviewLinks"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/posts/preview/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a post by the token of a preview link
         * @description Does not count as a view. Revoked links and links of deleted posts return 404.
         */
        get: operations["getPreview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/post-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List post types
         * @description Sorted by sort_order. Inactive types are included only with active=false.
         */
        get: operations["listPostTypes"];
        put?: never;
        /**
         * Create a post type
         * @description The type is active unless `is_active` is false. Its key cannot be changed later.
         */
        post: operations["createPostType"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/post-types/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a post type
         * @description Also returns inactive types. The definition may be served from a cache.
         */
        get: operations["getPostType"];
        /**
         * Update a post type
         * @description Absent members are not changed. The key cannot be changed.
         */
        put: operations["updatePostType"];
        post?: never;
        /**
         * Delete a post type
         * @description If the type has posts, including posts in the trash, reassign_to must specify another type for these posts.
         */
        delete: operations["deletePostType"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/post-types/{key}/schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the editor configuration of a post type
         * @description Contains what an editor needs to create posts of the type: its fields and its behaviours.
         */
        get: operations["getPostTypeSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/post-types/{key}/posts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List posts of a type
         * @description Accepts the same parameters as the list of all posts.
         */
        get: operations["listPostsOfType"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/post-types/{key}/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Validate field values
         * @description Nothing is stored.
         */
        post: operations["validatePostTypeFields"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/post-types/{key}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable a post type
         * @description Has no effect if the type is already active. Its posts become readable again under their own rules.
         */
        post: operations["activatePostType"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/post-types/{key}/deactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable a post type
         * @description While a type is disabled, its posts are visible only to their owners and administrators, and no posts of the type can be published.
         */
        post: operations["deactivatePostType"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/post-types/reorder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reorder post types
         * @description Returns all types in their new order. Types that are not listed keep their `sort_order`.
         */
        post: operations["reorderPostTypes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether the process responds, without checking its dependencies
         * @description For supervisors that restart a process that does not respond. Does not use the database.
         */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether the service works
         * @description Returns 503 if the database cannot serve sign-ins. The result can be a few seconds old.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether the service is ready for requests
         * @description For load balancers. Returns 503 while the process is shutting down or if the database cannot be reached. Other failures are reported as `degraded`.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/brand": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the name, colours and logo
         * @description Returns what an application needs to show pages that look like those of the service, such as an error page. The response can be cached for five minutes.
         */
        get: operations["getBrand"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/modules/install/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plan the creation of the module hub tables
         * @description Runs no SQL and writes only an audit event.
         */
        post: operations["planHubInstall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/modules/install/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the module hub tables
         * @description Creates only the tables that do not exist, so the request can be repeated. Installs no module.
         */
        post: operations["installHub"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/modules/install/{module_id}/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plan an installation
         * @description Runs no SQL and writes only an audit event. With an empty body, the defaults apply.
         */
        post: operations["planModuleInstall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/modules/install/{module_id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Install a module
         * @description Runs in one transaction under a lock: if it fails, nothing is installed. The request can be repeated. Installing a module does not enable it.
         */
        post: operations["installModule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/modules/install/{module_id}/update/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plan an update
         * @description Runs no SQL and writes only an audit event. With an empty body, the plan covers all installed extensions.
         */
        post: operations["planModuleUpdate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/modules/install/{module_id}/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Update the installed components of a module to this release
         * @description Runs in one transaction under a lock: if it fails, nothing is changed. Components that are not installed are rejected.
         */
        post: operations["updateModule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "user.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `user.created` */
        post: operations["receiveUserCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.verified": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `user.verified` */
        post: operations["receiveUserVerified"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `user.updated` */
        post: operations["receiveUserUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.email_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `user.email_changed` */
        post: operations["receiveUserEmailChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.password_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `user.password_changed` */
        post: operations["receiveUserPasswordChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.role_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `user.role_changed` */
        post: operations["receiveUserRoleChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.blocked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `user.blocked` */
        post: operations["receiveUserBlocked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.unblocked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `user.unblocked` */
        post: operations["receiveUserUnblocked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `user.deleted` */
        post: operations["receiveUserDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.restored": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `user.restored` */
        post: operations["receiveUserRestored"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.erased": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `user.erased` */
        post: operations["receiveUserErased"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.export_requested": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `user.export_requested` */
        post: operations["receiveUserExportRequested"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "session.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `session.created` */
        post: operations["receiveSessionCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "session.ended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `session.ended` */
        post: operations["receiveSessionEnded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "identity.linked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `identity.linked` */
        post: operations["receiveIdentityLinked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "identity.unlinked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `identity.unlinked` */
        post: operations["receiveIdentityUnlinked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "module.installed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `module.installed` */
        post: operations["receiveModuleInstalled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "module.upgraded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `module.upgraded` */
        post: operations["receiveModuleUpgraded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "module.repaired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `module.repaired` */
        post: operations["receiveModuleRepaired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `webhook.test` */
        post: operations["receiveWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "factor.added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `factor.added` */
        post: operations["receiveFactorAdded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "factor.removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `factor.removed` */
        post: operations["receiveFactorRemoved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.privacy_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `user.privacy_changed` */
        post: operations["receiveUserPrivacyChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.deletion_requested": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `user.deletion_requested` */
        post: operations["receiveUserDeletionRequested"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.deletion_cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `user.deletion_cancelled` */
        post: operations["receiveUserDeletionCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.onboarded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `user.onboarded` */
        post: operations["receiveUserOnboarded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "post.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `post.created` */
        post: operations["receivePostCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "post.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `post.updated` */
        post: operations["receivePostUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "post.published": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `post.published` */
        post: operations["receivePostPublished"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "post.pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `post.pending` */
        post: operations["receivePostPending"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "post.scheduled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `post.scheduled` */
        post: operations["receivePostScheduled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "post.unpublished": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `post.unpublished` */
        post: operations["receivePostUnpublished"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "post.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `post.deleted` */
        post: operations["receivePostDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "post.restored": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `post.restored` */
        post: operations["receivePostRestored"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "translation.saved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `translation.saved` */
        post: operations["receiveTranslationSaved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "translation.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `translation.deleted` */
        post: operations["receiveTranslationDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "comment.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `comment.created` */
        post: operations["receiveCommentCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "comment.moderated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `comment.moderated` */
        post: operations["receiveCommentModerated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "comment.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `comment.deleted` */
        post: operations["receiveCommentDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "post_type.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `post_type.created` */
        post: operations["receivePostTypeCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "post_type.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `post_type.updated` */
        post: operations["receivePostTypeUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "post_type.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The event `post_type.deleted` */
        post: operations["receivePostTypeDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        ActivityPeriod: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            start: string;
            new_people: number;
            sign_ins: number;
            /** @description failed sign-ins */
            failures: number;
        };
        AdminUser: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            email: string;
            name: string;
            last_name: string;
            user_name: string;
            user_type: string;
            /** @description URL, or empty */
            picture: string;
            phone: string;
            is_verified: boolean;
            two_factor: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            updated_at: string;
            first_time: boolean;
            title: string;
            /**
             * Format: date-time
             * @description present only in a search for deleted users
             */
            deleted_at?: string;
            /** @description null if the user is not blocked; absent from responses to the user */
            blocked?: null | {
                /** @description shown only to administrators */
                reason: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, with milliseconds
                 */
                since: string;
                /** @description null if the block has no end */
                until: null | string;
            };
            gdpr_consent?: boolean;
            /** Format: date-time */
            gdpr_consent_at?: string | null;
            gdpr_consent_version?: string | null;
            ccpa_applies?: boolean;
            ccpa_opt_out?: boolean;
            /** Format: date-time */
            ccpa_opt_out_at?: string | null;
            /** @enum {unknown} */
            privacy_region?: "eu" | "ca" | "eu_ca" | "global";
            is_business?: boolean;
            biz_name?: string | null;
            biz_country?: string | null;
            biz_state?: string | null;
            biz_position?: string | null;
            biz_postal_code?: string | null;
        };
        Attention: {
            /** @enum {string} */
            code: "failed_messages" | "late_messages" | "pending_deletions" | "unsealed_events" | "one_superadmin" | "late_counts";
            count: number;
            /** Format: date-time */
            since: string | null;
        };
        AuditEvent: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            time: string;
            event: string;
            outcome: "success" | "failure";
            /** Format: uuid */
            actor_id: string | null;
            /** @description the actor's role at the time of the event; `command_line` for a command run by an operator, which has no `actor_id` */
            actor_role: string | null;
            /** @description the user's current name or, without a name, the email address; null for erased users */
            actor_label: string | null;
            /** Format: uuid */
            target_id: string | null;
            /** @description the user's current name or, without a name, the email address; null for erased users */
            target_label: string | null;
            /** @description id of the superadmin who acted as the user `actor_id` */
            impersonator_id: string | null;
            /** @description the user's current name or, without a name, the email address; null for erased users */
            impersonator_label: string | null;
            method: string | null;
            /** @description the full IP address, later shortened to the network */
            ip: string | null;
            user_agent: string | null;
            request_id: string | null;
            details: {
                [key: string]: unknown;
            };
        };
        AuditSeal: {
            number: number;
            events: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            sealed_at: string;
        };
        Author: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            name: string;
            last_name: string;
            display_name: string | null;
            picture: string | null;
            /** @description number of published public posts */
            post_count: number;
        };
        BridgeSecretUse: {
            /**
             * @description name in BRIDGE_SECRETS; `default` for BRIDGE_SECRET
             * @example shop
             */
            name: string;
            /** Format: date-time */
            last_used_at: string | null;
            requests_last_day: number;
            requests_last_month: number;
        };
        BridgeUser: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            name: string;
            last_name: string;
            user_name: string;
            user_type: string;
            picture: string;
            phone: string;
            is_verified: boolean;
            two_factor: boolean;
            email: string;
            /** @description only with CLIENT_COMPAT */
            userType?: string;
            /** @description only with CLIENT_COMPAT */
            userName?: string;
            /** @description only with CLIENT_COMPAT */
            lastName?: string;
            /** @description only with CLIENT_COMPAT */
            isVerified?: boolean;
            /** @description only with CLIENT_COMPAT */
            twoFactor?: boolean;
        };
        BrokenSeal: {
            seal: number;
            /** @enum {string} */
            what: "missing" | "forged" | "changed events";
        };
        BulkResult: {
            id: string;
            ok: boolean;
            /** @description the error code that the single-user route would return */
            code?: string;
            message?: string;
        };
        CacheMeta: {
            cached: boolean;
        };
        Category: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            name: string;
            slug: string;
            lang: string;
            /** @description number of published public posts */
            post_count: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            updated_at: string;
            description: string;
            parent_id: string | null;
            sort_order: number;
        };
        Comment: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /**
             * Format: uuid
             * @description opaque identifier
             */
            post_id: string;
            parent_id: string | null;
            user_id: string | null;
            author: components["schemas"]["CommentAuthor"];
            /** @description plain text; escape it before showing it in HTML */
            comment_body: string;
            /** @enum {unknown} */
            status: "pending" | "approved" | "rejected" | "spam";
            replies_count: number;
            /** Format: date-time */
            edited_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            updated_at: string;
            /** @description present only for moderators */
            moderated_by?: string | null;
            /** Format: date-time */
            moderated_at?: string | null;
            moderation_reason?: string | null;
        };
        CommentAuthor: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            name: string;
            display_name: string | null;
            picture: string | null;
        } | null;
        CompleteOnboardingReplyData: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /**
             * Format: uuid
             * @description opaque identifier
             */
            user_id: string;
            /** @enum {unknown} */
            status: "not_started" | "in_progress" | "completed";
            /** @description the next step in ONBOARDING_STEPS; null if no steps are left or ONBOARDING_STEPS is empty */
            step: string | null;
            completed: boolean;
            /** @description the data from the start and from each step, by step name */
            data: {
                [key: string]: unknown;
            };
            steps: {
                [key: string]: "done" | "skipped";
            };
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            completed_at: string | null;
            user: components["schemas"]["User"];
        };
        /**
         * @description whether each inbox has confirmed the change
         * @example {
         *       "current": true,
         *       "new": false
         *     }
         */
        ConfirmedHalves: {
            current: boolean;
            new: boolean;
        };
        CreatePostReplyMeta: {
            /** @enum {boolean} */
            cached: false;
            /**
             * @description what was removed from the body or the fields; absent if nothing was
             * @example [
             *       "HTML was removed from body: 1 script, 2 img onerror"
             *     ]
             */
            notes?: string[];
        };
        CreatePostTypeReply: {
            data: components["schemas"]["PostType"];
            user_context: components["schemas"]["UserContext"];
            meta: Record<string, unknown>;
        };
        CreateWebhookBodyHeaders: {
            /** @example authorization */
            name: string;
            /** @example Bearer 8b5f3f61 */
            value: string;
        };
        CredentialDescriptor: {
            /** @enum {string} */
            type: "public-key";
            id: string;
            transports?: string[];
        };
        CurrentSession: {
            /** @description false until the second factor is verified */
            success: boolean;
            message?: string;
            user: components["schemas"]["User"];
            /** @description the session token: ses_ followed by 43 characters */
            sessionId: string;
            /** @description the session token: ses_ followed by 43 characters */
            session_id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            expires_at: string;
            requires_2fa: boolean;
            available_methods?: components["schemas"]["SecondFactor"][];
            verification_sent?: boolean;
            /** @description seconds */
            expires_in?: number;
            /**
             * Format: date-time
             * @description time of the last authentication: the sign-in or a later reauthentication
             */
            authenticated_at?: string;
            /** @description authentication methods as defined in RFC 8176: `pwd`, `otp` (a mailed or texted link or code), `swk` (a passkey), and `mfa` after a second factor; a sign-in with another provider adds no value */
            methods?: string[];
            /** @description the members that the bridge returns, too; absent for a partial session */
            session?: {
                /** @description origin or app scheme of the application that the session was handed over to; null for a browser session. A back end must accept only its own application or, if it shares the cookie, null */
                application: string | null;
                /** @description id of the superadmin acting as the user; null in all other sessions. If it is set, a back end must reject sensitive changes */
                impersonatedBy: string | null;
            };
            /** @description origin or app scheme of the application that the session was handed over to; null for a browser session. A back end must accept only its own application or, if it shares the cookie, null */
            application?: string | null;
            /** @description id of the superadmin acting as the user; null in all other sessions. If it is set, a back end must reject sensitive changes */
            impersonated_by?: string | null;
        };
        DeletionRequestReply: {
            /** @enum {boolean} */
            success: true;
            data: {
                /** @enum {unknown} */
                status: "none" | "pending" | "cancelled";
                /** Format: date-time */
                requested_at: string | null;
                /** Format: date-time */
                scheduled_for: string | null;
            };
        };
        Done: {
            /** @enum {boolean} */
            success: true;
            message: string;
        };
        EmailChangeCancellation: {
            /** @enum {boolean} */
            success: true;
            message: string;
            /** @enum {string} */
            status: "cancelled";
        };
        EmailChangeConfirmation: {
            /** @enum {boolean} */
            success: true;
            message: string;
            status: "pending" | "completed" | "cancelled";
            confirmed: components["schemas"]["ConfirmedHalves"];
        };
        EmailVerification: {
            /** @enum {boolean} */
            success: true;
            message: string;
            /** @enum {string} */
            status: "verified";
            user: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                id: string;
                email: string;
                is_verified: boolean;
            };
        };
        EndOtherSessionsBody: {
            /**
             * @description always checked if present, even after a recent sign-in
             * @example seven quiet river stones
             */
            current_password?: string;
        };
        EndOtherSessionsReply: {
            /** @enum {boolean} */
            success: true;
            message: string;
            data: components["schemas"]["EndOtherSessionsReplyData"];
        };
        EndOtherSessionsReplyData: {
            ended: number;
        };
        Error: {
            /** @constant */
            success: false;
            /** @description a message that can be shown to users */
            error: string;
            code: components["schemas"]["ErrorCode"];
            details?: components["schemas"]["FieldProblem"][];
            /**
             * @description false after a wrong second factor; otherwise absent
             * @constant
             */
            verified?: false;
            /** @description remaining attempts */
            attempts_remaining?: number;
            request_id: string;
        };
        /**
         * @description for programs
         * @enum {string}
         */
        ErrorCode: "VALIDATION_ERROR" | "EMAIL_TAKEN" | "USER_NAME_TAKEN" | "PHONE_TAKEN" | "WEAK_PASSWORD" | "INVALID_TOKEN" | "INVALID_CODE" | "LAST_SIGN_IN_METHOD" | "ACCOUNT_EXISTS" | "INVALID_CURRENT_PASSWORD" | "INVALID_CREDENTIALS" | "INVALID_SESSION" | "SESSION_EXPIRED" | "TWO_FACTOR_REQUIRED" | "INVALID_PROVIDER_TOKEN" | "BRIDGE_SECRET_REQUIRED" | "FORBIDDEN" | "CSRF_REJECTED" | "REAUTH_REQUIRED" | "EMAIL_NOT_VERIFIED" | "REGISTRATION_DISABLED" | "REGISTRATION_REFUSED" | "ACCOUNT_BLOCKED" | "IMPERSONATED" | "LAST_SUPERADMIN" | "NOT_FOUND" | "module_not_installed" | "METHOD_NOT_ALLOWED" | "EDIT_CONFLICT" | "MESSAGE_NOT_RETRYABLE" | "INSTALL_LOCKED" | "MODULE_DEPENDENCY_ERROR" | "MODULE_DRIFT" | "EVENTS_EXPIRED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "ACCOUNT_LOCKED" | "INTERNAL_ERROR" | "MODULE_RUN_FAILED" | "MODULE_DISABLED" | "NOT_CONFIGURED" | "UNAVAILABLE" | "TWO_FACTOR_CODE_REQUIRED" | "TWO_FACTOR_NO_METHOD" | "ONBOARDING_COMPLETED" | "COMMENTS_DISABLED" | "EDIT_WINDOW_CLOSED" | "REACTIONS_DISABLED" | "BOOKMARKS_DISABLED" | "PASSWORD_REQUIRED" | "NAME_TAKEN" | "SLUG_TAKEN" | "POST_NOT_PUBLISHED" | "POST_ALREADY_PUBLISHED" | "TOO_MANY_PREVIEW_LINKS" | "PREVIEW_LINK_EXPIRED" | "NOT_DELETED" | "POST_TYPE_INACTIVE" | "MAX_PER_AUTHOR" | "SCHEDULING_DISABLED" | "KEY_TAKEN" | "SLUG_PREFIX_TAKEN" | "BUILT_IN" | "IN_USE";
        Event: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @example user.blocked */
            type: string;
            /** @description the version of the schema of `data` */
            version: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            /** @description depends on `type`: see `webhooks` in this document */
            data: {
                [key: string]: unknown;
            };
        };
        ExportRequested: {
            /** @enum {boolean} */
            success: true;
            data: {
                /** @enum {string} */
                status: "pending";
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, with milliseconds
                 */
                requested_at: string;
            };
        };
        ExportUserDataReplyDataAudit: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            time: string;
            event: string;
            outcome: string;
            /** @description `user`, `administrator`, or null if no user was signed in */
            by: string | null;
            ip: string | null;
            user_agent: string | null;
        };
        ExportUserDataReplyDataSessions: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            ipAddress: string;
            userAgent: string;
            userDevice: string;
            application: string | null;
            parentId: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            lastUsedAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            expiresAt: string;
            status: string;
        };
        ExportUserDataReplyDataUser: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            email: string;
            name: string;
            last_name: string;
            user_name: string;
            user_type: string;
            /** @description URL, or empty */
            picture: string;
            is_verified: boolean;
            two_factor: boolean;
            lang: string;
            metadata: {
                [key: string]: unknown;
            };
            tmz: string | null;
            dob: string | null;
            display_name: string | null;
            first_time: boolean;
            gender: string | null;
            title: string | null;
            phone: string;
            /** @description only with CLIENT_COMPAT */
            userType?: string;
            /** @description only with CLIENT_COMPAT */
            userName?: string;
            /** @description only with CLIENT_COMPAT */
            lastName?: string;
            /** @description only with CLIENT_COMPAT */
            isVerified?: boolean;
            /** @description only with CLIENT_COMPAT */
            twoFactor?: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            updated_at: string;
        } & {
            [key: string]: unknown;
        };
        FactorUser: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            email: string;
            name: string;
            two_factor: boolean;
        };
        FieldProblem: {
            field: string;
            message: string;
        };
        GetCategoryReplyMeta: {
            /** @enum {boolean} */
            cached: false;
        };
        GetLivenessReply: {
            /** @enum {boolean} */
            success: true;
            /** @enum {string} */
            status: "ok";
        };
        GetMessageTemplateReply: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["MessageTemplate"];
        };
        GetPrivacyExportReplyData: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            generated_at: string;
            user: components["schemas"]["ExportUserDataReplyDataUser"];
            sessions: components["schemas"]["ExportUserDataReplyDataSessions"][];
            social_accounts?: {
                [key: string]: unknown;
            }[];
            audit: components["schemas"]["ExportUserDataReplyDataAudit"][];
            two_factor_methods?: {
                [key: string]: unknown;
            }[];
            privacy?: {
                [key: string]: unknown;
            };
            onboarding?: {
                [key: string]: unknown;
            };
            posts?: {
                [key: string]: unknown;
            }[];
            comments?: {
                [key: string]: unknown;
            }[];
            reactions?: {
                [key: string]: unknown;
            }[];
            bookmarks?: {
                [key: string]: unknown;
            }[];
            translations?: {
                [key: string]: unknown;
            }[];
            privacy_history: components["schemas"]["PrivacyHistoryEntry"][];
        };
        GetWebhookReply: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["Webhook"];
        };
        Impersonation: {
            /** @description false until the second factor is verified */
            success: boolean;
            message?: string;
            user: components["schemas"]["User"];
            /** @description the session token: ses_ followed by 43 characters */
            sessionId: string;
            /** @description the session token: ses_ followed by 43 characters */
            session_id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            expires_at: string;
            requires_2fa: boolean;
            available_methods?: components["schemas"]["SecondFactor"][];
            verification_sent?: boolean;
            /** @description seconds */
            expires_in?: number;
            /** @description id of the superadmin acting as the user; null in all other sessions. If it is set, a back end must reject sensitive changes */
            impersonated_by: string | null;
        };
        InstallBody: {
            /**
             * @description default: core
             * @enum {unknown}
             */
            target?: "core" | "selected" | "all";
            /**
             * @description only used with target "selected"
             * @example [
             *       "core"
             *     ]
             */
            components?: string[];
            /** @description default: service-core */
            runtime_scope?: string;
            /** @description default: true */
            verify_checksum?: boolean;
            /** @description repairs installed components that differ from the expected version; default: false, which rejects the installation */
            repair_missing?: boolean;
            /** @description has no effect: existing objects are always skipped */
            skip_existing?: boolean;
            /** @description adds `plan` to the response */
            verbose?: boolean;
        };
        InstallModuleReply: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["InstallResult"];
            user_context: components["schemas"]["ListModulesReplyUserContext"];
            meta: components["schemas"]["CacheMeta"];
        };
        InstallPlan: {
            module_id: string;
            runtime_scope: string;
            dry_run: boolean;
            resolved_order: string[];
            plan?: {
                component_id: string;
                component_type: string;
                /** @enum {unknown} */
                action: "install" | "upgrade" | "repair" | "skip" | "drift";
                from_version: string | null;
                to_version: string;
                checksum: string;
                sql: string[];
            }[];
        };
        InstallPlanBody: {
            /**
             * @description default: core
             * @enum {unknown}
             */
            target?: "core" | "selected" | "all";
            /**
             * @description only used with target "selected"
             * @example [
             *       "core"
             *     ]
             */
            components?: string[];
            /** @description default: service-core */
            runtime_scope?: string;
            /** @description default: true */
            verify_checksum?: boolean;
            /** @description repairs installed components that differ from the expected version; default: false, which rejects the installation */
            repair_missing?: boolean;
            /** @description has no effect: existing objects are always skipped */
            skip_existing?: boolean;
            /** @description adds `plan` to the response */
            verbose?: boolean;
            /** @description adds `plan` to the response: the steps with their SQL */
            with_sql?: boolean;
        };
        InstallResult: {
            module_id: string;
            runtime_scope: string;
            /** @enum {boolean} */
            dry_run: false;
            resolved_order: string[];
            run_id: string;
            result: {
                installed: string[];
                upgraded: string[];
                repaired: string[];
                skipped: string[];
                failed: string[];
                duration_ms: number;
            };
            plan?: {
                component_id: string;
                component_type: string;
                /** @enum {unknown} */
                action: "install" | "upgrade" | "repair" | "skip" | "drift";
                from_version: string | null;
                to_version: string;
                checksum: string;
            }[];
        };
        LimitRefusals: {
            /** @example login */
            class: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            last_refused_at: string;
            requests_last_day: number;
            requests_last_month: number;
        };
        LinkedProvider: {
            provider: string;
            provider_user_id: string;
            /** @description email address reported by the provider; it can differ from the login email address */
            email: string;
            name: string;
            picture: string;
            /** @description true for the oldest linked identity */
            is_primary: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            linked_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            last_used_at: string;
        };
        ListCommentsToModerateReply: {
            data: components["schemas"]["Comment"][];
            user_context: components["schemas"]["UserContext"];
            meta: components["schemas"]["ListPostsReplyMeta"];
        };
        ListMeta: {
            page: number;
            limit: number;
            total: number;
            pages: number;
            has_more: boolean;
            cached: boolean;
        };
        ListModulesReplyUserContext: {
            authenticated: boolean;
        };
        ListPostsReply: {
            data: components["schemas"]["ListedPost"][];
            user_context: components["schemas"]["UserContext"];
            meta: components["schemas"]["ListPostsReplyMeta"];
        };
        ListPostsReplyMeta: {
            page: number;
            limit: number;
            total: number;
            pages: number;
            has_more: boolean;
            /** @enum {boolean} */
            cached: false;
        };
        ListedPost: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            slug: string;
            title: string;
            lang: string;
            /** @enum {unknown} */
            body_format: "markdown" | "html" | "text" | "json";
            /** @description plain text; derived from the body if none is stored */
            excerpt: string;
            featured_image: string | null;
            /** @enum {unknown} */
            status: "draft" | "pending" | "scheduled" | "published" | "deleted";
            /** @enum {unknown} */
            visibility: "public" | "auth" | "private" | "password";
            password_protected: boolean;
            user_id: string | null;
            author: components["schemas"]["PostAuthor"];
            categories: components["schemas"]["NamedTerm"][];
            tags: components["schemas"]["NamedTerm"][];
            comments_enabled: boolean;
            reactions_enabled: boolean;
            /** Format: date-time */
            scheduled_at: string | null;
            /** Format: date-time */
            published_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            updated_at: string;
            metadata: {
                [key: string]: unknown;
            };
            /** @description `post_type` and `fields` are absent if `post` is the only post type */
            post_type?: string;
            fields?: {
                [key: string]: unknown;
            };
            seo?: components["schemas"]["PostSeo"];
            /** @description the counts `comments` (approved comments only), `reactions`, `bookmarks` and `views`; each count requires its component */
            counts: {
                [key: string]: number;
            };
            viewer?: components["schemas"]["PostViewer"];
            /** @description languages of the translations */
            translations?: string[];
            body?: string | null;
            /** Format: date-time */
            deleted_at?: string | null;
        };
        LiveSessions: {
            /**
             * @description time since the sign-in: at most an hour, a day, 7 days or 30 days, or longer
             * @enum {string}
             */
            age: "hour" | "day" | "week" | "month" | "older";
            computer: number;
            /** @description phones and tablets */
            mobile: number;
            /** @description applications, programs and unknown devices */
            other: number;
        };
        Lockout: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            user_id: string;
            label: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            locked_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            locked_until: string;
            /** @description IP address of the last failed attempt before the lock */
            ip: string | null;
        };
        Me: {
            /** @description false until the second factor is verified */
            success: boolean;
            message?: string;
            user: components["schemas"]["User"];
            data: {
                user: components["schemas"]["User"];
            };
            /** @description the session token: ses_ followed by 43 characters */
            sessionId: string;
            /** @description the session token: ses_ followed by 43 characters */
            session_id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            expires_at: string;
            requires_2fa?: boolean;
            available_methods?: components["schemas"]["SecondFactor"][];
            verification_sent?: boolean;
            /** @description seconds */
            expires_in?: number;
        };
        MessageSource: {
            subject: string;
            text: string;
            html: string | null;
        };
        MessageTemplate: {
            name: string;
            language: string;
            /** @enum {string} */
            channel: "mail" | "sms";
            customizable: boolean;
            /**
             * @description `broken`: the stored template cannot be used, so the built-in message is sent
             * @enum {string}
             */
            state: "built_in" | "custom" | "broken";
            /** @description 0 if no template is stored */
            version: number;
            /** Format: date-time */
            changed_at: string | null;
            /** @description name or email address of the user who changed the template; null for erased users */
            changed_by: string | null;
            subject: string;
            text: string;
            html: string | null;
            problems: components["schemas"]["FieldProblem"][];
            built_in: components["schemas"]["MessageSource"];
            /** @description the HTML generated from the built-in text, as a starting point for a template; null for text messages */
            generated_html: string | null;
            variables: string[];
            subject_variables: string[];
            /** @description lists of placeholders; a template must contain at least one placeholder from each list */
            required_variables: string[][];
        };
        ModuleRun: {
            run_id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            time: string;
            actor_id: string | null;
            actor_email: string | null;
            /** @enum {unknown} */
            outcome: "success" | "failure";
            code: string | null;
            reasons: components["schemas"]["FieldProblem"][];
            steps: {
                component_id: string;
                /** @enum {unknown} */
                action: "install" | "upgrade" | "repair" | "skip" | "drift";
                from_version: string | null;
                to_version: string | null;
            }[];
        };
        NamedTerm: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            name: string;
            slug: string;
        };
        Onboarding: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /**
             * Format: uuid
             * @description opaque identifier
             */
            user_id: string;
            /** @enum {unknown} */
            status: "not_started" | "in_progress" | "completed";
            /** @description the next step in ONBOARDING_STEPS; null if no steps are left or ONBOARDING_STEPS is empty */
            step: string | null;
            completed: boolean;
            /** @description the data from the start and from each step, by step name */
            data: {
                [key: string]: unknown;
            };
            steps: {
                [key: string]: "done" | "skipped";
            };
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            completed_at: string | null;
        };
        OnboardingCompletion: {
            /**
             * @description false clears all members starting with biz_
             * @example true
             */
            is_business?: boolean;
            /**
             * @description 1 to 200 characters; required if is_business is true and no name is stored
             * @example Analytical Engines Ltd
             */
            biz_name?: string;
            /**
             * @description ISO 3166-1 alpha-2; "" clears it
             * @example GB
             */
            biz_country?: string;
            /**
             * @description at most 100 characters; "" clears it
             * @example London
             */
            biz_state?: string;
            /**
             * @description at most 100 characters; "" clears it
             * @example Director
             */
            biz_position?: string;
            /**
             * @description at most 20 characters; "" clears it
             * @example W1G 9QD
             */
            biz_postal_code?: string;
            /**
             * @description at most 40 characters, usually one of 1, 2-10, 11-50, 51-200, 201-500, 501-1000, 1001+; write-only
             * @example 2-10
             */
            team_size_range?: string;
            /**
             * @description at most 64 characters; write-only
             * @example newsletter
             */
            acquisition_source?: string;
            /**
             * @description at most 255 characters; write-only
             * @example email
             */
            acquisition_medium?: string;
            /**
             * @description at most 255 characters; write-only
             * @example spring
             */
            acquisition_campaign?: string;
            /**
             * @description at most 255 characters; write-only
             * @example calculating machines
             */
            acquisition_term?: string;
            /**
             * @description at most 255 characters; write-only
             * @example second link
             */
            acquisition_content?: string;
            /**
             * @description http or https URL; write-only
             * @example https://search.example.com/
             */
            acquisition_referrer?: string;
            /**
             * @description http or https URL; write-only
             * @example https://www.example.org/start
             */
            acquisition_landing_page?: string;
            /**
             * @description at most 64 characters; write-only
             * @example web
             */
            acquisition_channel?: string;
            /**
             * @description at most 500 characters; write-only
             * @example A friend told me
             */
            acquisition_detail?: string;
            /**
             * @description at most 100 characters; "" clears it
             * @example Ada
             */
            name?: string;
            /**
             * @description at most 100 characters; "" clears it
             * @example Lovelace
             */
            last_name?: string;
            /**
             * @description as in PUT /auth/profile; "" clears it
             * @example +447700900123
             */
            phone?: string;
            /**
             * @description at most 100 characters; "" clears it
             * @example Countess Ada
             */
            display_name?: string;
            /**
             * @description BCP 47 tag
             * @example es-MX
             */
            lang?: string;
            /**
             * @description IANA time zone; "" clears it
             * @example Europe/London
             */
            tmz?: string;
            /**
             * @description at most 100 characters; "" clears it
             * @example Dr.
             */
            title?: string;
        } & {
            [key: string]: string;
        };
        OnboardingReply: {
            data: components["schemas"]["Onboarding"];
            user_context: components["schemas"]["UserContext"];
            meta: Record<string, unknown>;
        };
        OutboxMessage: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /**
             * @description `task`: a job that creates a message
             * @enum {string}
             */
            channel: "mail" | "sms" | "task";
            message: string;
            /** @enum {string} */
            state: "queued" | "sending" | "sent" | "failed" | "dropped";
            /** @description masked email address or phone number; null after the content has been erased */
            recipient: string | null;
            /** @description why the last attempt failed */
            reason: string | null;
            attempts: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            created_at: string;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** Format: date-time */
            done_at: string | null;
            /** Format: date-time */
            expires_at: string | null;
            /** @description whether POST /auth/admin/outbox/{message_id}/retry can send the message */
            retryable: boolean;
        };
        Pagination: {
            page: number;
            limit: number;
            total: number;
            pages: number;
            /** @description whether there is another page */
            has_more: boolean;
        };
        /** @description convert with PublicKeyCredential.parseCreationOptionsFromJSON and pass to navigator.credentials.create */
        PasskeyCreationOptions: {
            rp: {
                id: string;
                name: string;
            };
            user: {
                id: string;
                name: string;
                displayName: string;
            };
            challenge: string;
            pubKeyCredParams: {
                /** @enum {string} */
                type: "public-key";
                alg: number;
            }[];
            /** @description milliseconds */
            timeout: number;
            excludeCredentials: components["schemas"]["CredentialDescriptor"][];
            authenticatorSelection: {
                residentKey: string;
                requireResidentKey: boolean;
                userVerification: string;
            };
            attestation: string;
            extensions: {
                credProps: boolean;
            };
        };
        /** @description convert with PublicKeyCredential.parseRequestOptionsFromJSON and pass to navigator.credentials.get */
        PasskeyRequestOptions: {
            challenge: string;
            /** @description milliseconds */
            timeout: number;
            rpId: string;
            allowCredentials: components["schemas"]["CredentialDescriptor"][];
            userVerification: string;
        };
        /** @description the credential from navigator.credentials, as returned by toJSON() */
        PasskeyResponse: {
            id: string;
            rawId: string;
            /** @enum {string} */
            type: "public-key";
            response: {
                clientDataJSON: string;
                /** @description present when a passkey is created */
                attestationObject?: string;
                transports?: string[];
                /** @description present when a passkey is used */
                authenticatorData?: string;
                signature?: string;
                userHandle?: string | null;
            };
        };
        PendingEmailChange: {
            /** @enum {string} */
            status: "pending";
            /** @example ada@new.example.com */
            new_email: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            expires_at: string;
        };
        PlanHubInstallReply: {
            data: components["schemas"]["InstallPlan"];
            user_context: components["schemas"]["ListModulesReplyUserContext"];
            meta: components["schemas"]["CacheMeta"];
        };
        Post: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            slug: string;
            title: string;
            lang: string;
            body: string | null;
            /** @enum {unknown} */
            body_format: "markdown" | "html" | "text" | "json";
            /** @description sanitized HTML that is safe to display; null if body_format is json */
            body_html: string | null;
            /** @description plain text; derived from the body if none is stored */
            excerpt: string;
            featured_image: string | null;
            /** @enum {unknown} */
            status: "draft" | "pending" | "scheduled" | "published";
            /** @enum {unknown} */
            visibility: "public" | "auth" | "private" | "password";
            password_protected: boolean;
            user_id: string | null;
            author: components["schemas"]["PostAuthor"];
            categories: components["schemas"]["NamedTerm"][];
            tags: components["schemas"]["NamedTerm"][];
            comments_enabled: boolean;
            reactions_enabled: boolean;
            /** Format: date-time */
            scheduled_at: string | null;
            /** Format: date-time */
            published_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            updated_at: string;
            metadata: {
                [key: string]: unknown;
            };
            /** @description `post_type` and `fields` are absent if `post` is the only post type */
            post_type?: string;
            fields?: {
                [key: string]: unknown;
            };
            seo?: components["schemas"]["PostSeo"];
            /** @description the counts `comments` (approved comments only), `reactions`, `bookmarks` and `views`; each count requires its component */
            counts: {
                [key: string]: number;
            };
            viewer?: components["schemas"]["PostViewer"];
            /** @description languages of the translations */
            translations?: string[];
        };
        PostAuthor: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            name: string;
            last_name: string;
            display_name: string | null;
            picture: string | null;
        } | null;
        PostMoved: {
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                id: string;
                /** @enum {unknown} */
                status: "draft" | "pending" | "scheduled" | "published";
                /** Format: date-time */
                scheduled_at?: string | null;
            };
            user_context: components["schemas"]["UserContext"];
            meta: Record<string, unknown>;
        };
        PostReply: {
            data: components["schemas"]["Post"];
            user_context: components["schemas"]["UserContext"];
            meta: {
                /** @enum {boolean} */
                cached: false;
                /** @description the post's language, if it differs from the requested one */
                fallback_lang?: string;
                /** @description the requested slug, if it is a former slug of the post; redirect to the current slug */
                redirected_from?: string;
            };
        };
        /** @description present only with the ext-seo extension, if the post type enables it */
        PostSeo: {
            seo_title: string | null;
            seo_description: string | null;
            seo_keywords: string | null;
            canonical_url: string | null;
            og_title: string | null;
            og_description: string | null;
            og_image: string | null;
            noindex: boolean;
        };
        PostType: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            type_key: string;
            type_name: string;
            field_schema: components["schemas"]["PostTypeField"][];
            behaviors: components["schemas"]["PostTypeBehaviors"];
            description: string;
            slug_prefix: string;
            icon: string;
            color: string;
            is_active: boolean;
            is_built_in: boolean;
            sort_order: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            updated_at: string;
        };
        PostTypeActivity: {
            data: {
                type_key: string;
                is_active: boolean;
            };
            user_context: components["schemas"]["UserContext"];
            meta: Record<string, unknown>;
        };
        PostTypeBehaviors: {
            public_by_default: boolean;
            enables_seo: boolean;
            enables_comments: boolean;
            enables_reactions: boolean;
            enables_bookmarks: boolean;
            enables_views: boolean;
            enables_scheduling: boolean;
            requires_approval: boolean;
            allows_password_visibility: boolean;
            /** @enum {unknown} */
            default_visibility: "public" | "auth" | "private" | "password";
            allowed_body_formats: ("markdown" | "html" | "text" | "json")[];
            /** @description 0: no limit */
            max_per_author: number;
        } & {
            [key: string]: string;
        };
        PostTypeField: {
            name: string;
            label: string;
            type: string;
            required: boolean;
            options?: string[];
            max_length?: number;
            placeholder?: string;
        };
        /** @description present only if the request has a session */
        PostViewer: {
            reaction?: string | null;
            bookmarked?: boolean;
        };
        PrivacyHistoryEntry: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @example gdpr_consent_given */
            event: string;
            old_value: string | null;
            new_value: string | null;
            version: string | null;
            /** @description `self`, `admin` for a change by an administrator, or `service` */
            source: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            created_at: string;
        };
        PrivacyRequest: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @enum {unknown} */
            kind: "deletion" | "export";
            /**
             * @description ready: the link to the export has been sent to the user
             * @enum {unknown}
             */
            status: "pending" | "ready" | "cancelled";
            /**
             * Format: uuid
             * @description opaque identifier
             */
            user_id: string;
            email: string;
            reason: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            requested_at: string;
            /**
             * Format: date-time
             * @description when the user will be deleted or the export expires
             */
            due_at: string;
            /** Format: date-time */
            cancelled_at: string | null;
        };
        PrivacyStatus: {
            /** @enum {unknown} */
            privacy_region: "eu" | "ca" | "eu_ca" | "global";
            gdpr_consent: boolean;
            /** Format: date-time */
            gdpr_consent_at: string | null;
            gdpr_consent_version: string | null;
            /** @description determined by the region: true in `ca` (California) and `eu_ca` */
            ccpa_applies: boolean;
            ccpa_opt_out: boolean;
            /** Format: date-time */
            ccpa_opt_out_at: string | null;
        };
        PrivacyStatusReply: {
            /** @enum {boolean} */
            success: true;
            data: components["schemas"]["PrivacyStatus"];
        };
        PublishPostBody: {
            /**
             * @description `updated_at` of the version you read; the request is rejected if that is no longer the current version
             * @example 2030-01-31T09:00:00Z
             */
            expected_updated_at?: string;
        };
        Redeemed: {
            /** @description false until the second factor is verified */
            success: boolean;
            message?: string;
            user: components["schemas"]["User"];
            /** @description the session token: ses_ followed by 43 characters */
            sessionId: string;
            /** @description the session token: ses_ followed by 43 characters */
            session_id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            expires_at: string;
            requires_2fa: boolean;
            available_methods?: components["schemas"]["SecondFactor"][];
            verification_sent?: boolean;
            /** @description seconds */
            expires_in?: number;
            /**
             * Format: date-time
             * @description time of the last authentication: the sign-in or a later reauthentication
             */
            authenticated_at: string;
            /** @description authentication methods as defined in RFC 8176: `pwd`, `otp` (a mailed or texted link or code), `swk` (a passkey), and `mfa` after a second factor; a sign-in with another provider adds no value */
            methods: string[];
            /** @description origin or app scheme of the application that the session was handed over to; null for a browser session. A back end must accept only its own application or, if it shares the cookie, null */
            application: string | null;
        };
        RefusedSession: {
            /** @enum {boolean} */
            success: false;
            error: string;
            code: string;
        };
        RenderedMessage: {
            subject: string;
            text: string;
            html: string;
        };
        ResetValidity: {
            /** @enum {boolean} */
            success: true;
            valid: boolean;
            message: string;
        };
        SecondFactor: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            method: string;
            /** @enum {string} */
            status: "active";
            /** @description masked email address or phone number */
            identifier: string | null;
        };
        SessionInfo: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /**
             * Format: uuid
             * @description opaque identifier
             */
            user_id: string;
            /**
             * Format: uuid
             * @description opaque identifier
             */
            userId: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            lastUsedAt: string;
            /** @enum {integer} */
            two_factor_verified: 0 | 1;
        };
        Setting: {
            name: string;
            /** @description chapter of docs/configuration.md */
            chapter: string;
            meaning: string;
            /** @description description of the allowed values */
            type: string;
            /** @description the allowed values, if the setting accepts only certain values */
            choices: string[] | null;
            /** @description whether the value is a picture */
            picture: boolean;
            /** @description description of the default */
            default: string;
            /** @description the value in use; null for secrets and for settings without a value. For a picture, a description */
            value: string | null;
            /** @description whether the setting has a value */
            set: boolean;
            secret: boolean;
            /**
             * @description source of the value; the environment takes precedence over the database
             * @enum {string}
             */
            source: "default" | "environment" | "database" | "generated";
            /** @description whether the setting can be changed through this API */
            changeable: boolean;
            /**
             * @description why the setting cannot be changed; environment: it is set in the environment
             * @enum {string|null}
             */
            reason: "secret" | "read_at_start" | "environment" | null;
            /** @description present if a stored value is not used: the value and the reason */
            unused: {
                value: string;
                problem: string;
            } | null;
            changed_by: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            changed_at: string | null;
        };
        SignIn: {
            /** @description false until the second factor is verified */
            success: boolean;
            message?: string;
            user: components["schemas"]["User"];
            /** @description the session token: ses_ followed by 43 characters */
            sessionId: string;
            /** @description the session token: ses_ followed by 43 characters */
            session_id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            expires_at: string;
            requires_2fa: boolean;
            available_methods?: components["schemas"]["SecondFactor"][];
            verification_sent?: boolean;
            /** @description seconds */
            expires_in?: number;
        };
        SocialFlow: {
            /** @enum {boolean} */
            success: true;
            /** @description URL to redirect the browser to */
            url: string;
            /** @description the same URL as in `url` */
            login_url: string;
            /** @description value of the X-OAuth-Flow header for the callback request, for clients without the cookie */
            flow: string;
            /** @description seconds */
            expires_in: number;
        };
        SocialProvider: {
            provider: string;
            enabled: boolean;
            loginUrl: string;
            apiLoginUrl: string;
        };
        SocialSignIn: {
            /** @description false until the second factor is verified */
            success: boolean;
            message?: string;
            user?: components["schemas"]["AdminUser"];
            sessionId?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            expiresAt?: string;
            session_id?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            expires_at?: string;
            requires_2fa?: boolean;
            available_methods?: components["schemas"]["SecondFactor"][];
            verification_sent?: boolean;
            /** @description seconds */
            expires_in?: number;
            loginType?: string;
            provider: string;
            is_new_user?: boolean;
        };
        Tag: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            name: string;
            slug: string;
            lang: string;
            /** @description number of published public posts */
            post_count: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            updated_at: string;
        };
        TermCreated: {
            data: components["schemas"]["NamedTerm"];
            user_context: components["schemas"]["UserContext"];
            meta: Record<string, unknown>;
        };
        TermDeleted: {
            data: components["schemas"]["TermDeletedData"];
            user_context: components["schemas"]["UserContext"];
            meta: Record<string, unknown>;
        };
        TermDeletedData: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @enum {boolean} */
            deleted: true;
        };
        TermUpdated: {
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                id: string;
                /** @enum {boolean} */
                updated: true;
            };
            user_context: components["schemas"]["UserContext"];
            meta: Record<string, unknown>;
        };
        ThrottledAccount: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            user_id: string;
            label: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            last_failed_at: string;
            /**
             * Format: date-time
             * @description until when further passwords are refused without being checked, even the correct one
             */
            throttled_until: string;
            /** @description IP address of the last failed attempt */
            ip: string | null;
        };
        TokenSignIn: {
            /** @description false until the second factor is verified */
            success: boolean;
            message?: string;
            user: components["schemas"]["User"];
            /** @description the session token: ses_ followed by 43 characters */
            sessionId: string;
            /** @description the session token: ses_ followed by 43 characters */
            session_id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            expires_at: string;
            requires_2fa: boolean;
            available_methods?: components["schemas"]["SecondFactor"][];
            verification_sent?: boolean;
            /** @description seconds */
            expires_in?: number;
            /**
             * @description Present if this sign-in verified the email address for the first time and removed the account's password
             * @enum {boolean}
             */
            password_removed?: true;
        };
        TokenUser: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            email: string;
            name: string;
            lastName: string;
            userName: string;
            userType: string;
            isVerified: boolean;
        };
        TokenValidation: {
            /** @description false until the second factor is verified */
            success: boolean;
            message: string;
            user: components["schemas"]["TokenUser"];
            /** @description the session token: ses_ followed by 43 characters */
            sessionId: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            expiresAt: string;
            requires_2fa?: boolean;
            available_methods?: components["schemas"]["SecondFactor"][];
            /** @description only with CLIENT_COMPAT */
            tokenType?: string;
            /**
             * Format: uuid
             * @description only with CLIENT_COMPAT
             */
            token_id?: string;
            /**
             * Format: date-time
             * @description only with CLIENT_COMPAT
             */
            expires_at?: string;
        };
        Translation: {
            /**
             * Format: uuid
             * @description id of the post
             */
            id: string;
            lang: string;
            title: string;
            slug: string;
            body: string | null;
            excerpt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            updated_at: string;
        };
        UpdateModuleBody: {
            /** @description default: every installed extension */
            components?: string[];
            /** @description default: service-core */
            runtime_scope?: string;
            /** @description default: true */
            verify_checksum?: boolean;
            /** @description adds `plan` to the response */
            verbose?: boolean;
        };
        UpdatePlanBody: {
            /** @description default: every installed extension */
            components?: string[];
            /** @description default: service-core */
            runtime_scope?: string;
            /** @description default: true */
            verify_checksum?: boolean;
            /** @description adds `plan` to the response */
            verbose?: boolean;
            /** @description adds `plan` to the response: the steps with their SQL */
            with_sql?: boolean;
        };
        UpdatePostReplyMeta: {
            /**
             * @description what was removed from the body or the fields; absent if nothing was
             * @example [
             *       "HTML was removed from body: 1 script, 2 img onerror"
             *     ]
             */
            notes?: string[];
        };
        User: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            email: string;
            name: string;
            last_name: string;
            user_name: string;
            user_type: string;
            /** @description URL, or empty */
            picture: string;
            is_verified: boolean;
            two_factor: boolean;
            lang: string;
            metadata: {
                [key: string]: unknown;
            };
            tmz: string | null;
            dob: string | null;
            display_name: string | null;
            first_time: boolean;
            gender: string | null;
            title: string | null;
            /** @description only with CLIENT_COMPAT */
            phone?: string;
            /** @description only with CLIENT_COMPAT */
            userType?: string;
            /** @description only with CLIENT_COMPAT */
            userName?: string;
            /** @description only with CLIENT_COMPAT */
            lastName?: string;
            /** @description only with CLIENT_COMPAT */
            isVerified?: boolean;
            /** @description only with CLIENT_COMPAT */
            twoFactor?: boolean;
            gdpr_consent?: boolean;
            /** Format: date-time */
            gdpr_consent_at?: string | null;
            gdpr_consent_version?: string | null;
            ccpa_applies?: boolean;
            ccpa_opt_out?: boolean;
            /** Format: date-time */
            ccpa_opt_out_at?: string | null;
            /** @enum {unknown} */
            privacy_region?: "eu" | "ca" | "eu_ca" | "global";
            is_business?: boolean;
            biz_name?: string | null;
            biz_country?: string | null;
            biz_state?: string | null;
            biz_position?: string | null;
            biz_postal_code?: string | null;
        };
        UserContext: {
            authenticated: boolean;
            user_type?: string;
        };
        UserMe: {
            /** @description false until the second factor is verified */
            success: boolean;
            user: components["schemas"]["User"];
            /** @description the session token: ses_ followed by 43 characters */
            sessionId: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            expiresAt: string;
            requires_2fa?: boolean;
            available_methods?: components["schemas"]["SecondFactor"][];
            /** @description only with CLIENT_COMPAT */
            data?: components["schemas"]["User"];
            /** @description id of the superadmin acting as the user; null in all other sessions. If it is set, a back end must reject sensitive changes */
            impersonated_by?: string | null;
        };
        UserReply: {
            /** @enum {boolean} */
            success: true;
            data: {
                user: components["schemas"]["AdminUser"];
            };
        };
        UserSearchReply: {
            /** @enum {boolean} */
            success: true;
            data: {
                users: components["schemas"]["AdminUser"][];
                pagination: {
                    page: number;
                    limit: number;
                    total: number;
                    pages: number;
                    /** @description whether there is another page */
                    has_more: boolean;
                    /**
                     * @description only if `count_limit` stopped the count
                     * @enum {boolean}
                     */
                    total_is_exact?: false;
                };
            };
            /** @description only with CLIENT_COMPAT */
            meta?: {
                total: number;
                page: number;
                limit: number;
                hasMore: boolean;
            };
        };
        ValidatedSession: {
            /** @enum {boolean} */
            success: true;
            user: components["schemas"]["BridgeUser"];
            session: components["schemas"]["ValidatedSessionSession"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description time of the last authentication: the sign-in or a later reauthentication
             */
            authenticated_at: string;
            /** @description authentication methods as defined in RFC 8176: `pwd`, `otp` (a mailed or texted link or code), `swk` (a passkey), and `mfa` after a second factor; a sign-in with another provider adds no value */
            methods: string[];
            /** @description false if the session was read from the database */
            cached: boolean;
            cacheSource: "memory" | "redis" | "database";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            timestamp: string;
        };
        ValidatedSessionSession: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /**
             * Format: uuid
             * @description opaque identifier
             */
            userId: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            expiresAt: string;
            ipAddress: string;
            userAgent: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            lastUsedAt: string;
            /** @enum {integer} */
            two_factor_verified: 0 | 1;
            /** @description origin or app scheme of the application that the session was handed over to; null for a browser session. A back end must accept only its own application or, if it shares the cookie, null */
            application: string | null;
            /** @description id of the superadmin acting as the user; null in all other sessions. If it is set, a back end must reject sensitive changes */
            impersonatedBy: string | null;
            /**
             * Format: uuid
             * @description only with CLIENT_COMPAT
             */
            user_id?: string;
            /**
             * Format: date-time
             * @description only with CLIENT_COMPAT
             */
            expires_at?: string;
        };
        ValidatedSessions: {
            /** @enum {boolean} */
            success: true;
            /** @description id of the process that responded, as in the events of /auth/bridge/events */
            process: string;
            /** @description milliseconds on the monotonic clock of that process */
            time: number;
            /** @description one result for each of `session_ids`, in the same order */
            results: ({
                /** @enum {boolean} */
                success: true;
                user: components["schemas"]["BridgeUser"];
                session: components["schemas"]["ValidatedSessionSession"];
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, with milliseconds
                 */
                expires_at: string;
                /**
                 * Format: date-time
                 * @description time of the last authentication: the sign-in or a later reauthentication
                 */
                authenticated_at: string;
                /** @description authentication methods as defined in RFC 8176: `pwd`, `otp` (a mailed or texted link or code), `swk` (a passkey), and `mfa` after a second factor; a sign-in with another provider adds no value */
                methods: string[];
                /** @description false if the session was read from the database */
                cached: boolean;
                cacheSource: "memory" | "redis" | "database";
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, with milliseconds
                 */
                timestamp: string;
                /** @description milliseconds since the session was read from the database */
                age: number;
                /** @description identifies this content, excluding the last-use and expiry times; if sent in `tags`, the content is returned only if it has changed */
                tag: string;
                /** @description only with SESSION_BINDING=enforce, for clients with a cache: HMAC-SHA-256 (base64url) of `ip` or `user_agent`, a zero byte and the sign-in's value. The key is the hexadecimal SHA-256 hash of the session token */
                binding?: {
                    ip: string;
                    user_agent: string;
                };
            } | {
                /** @enum {boolean} */
                success: true;
                /**
                 * @description the session is valid; only last_used_at and expires_at may have changed since the response with this tag
                 * @enum {boolean}
                 */
                unchanged: true;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, with milliseconds
                 */
                last_used_at: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, with milliseconds
                 */
                expires_at: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, with milliseconds
                 */
                timestamp: string;
                /** @description milliseconds since the session was read from the database */
                age: number;
            } | components["schemas"]["RefusedSession"])[];
        };
        Validation: {
            /** @description false until the second factor is verified */
            success: boolean;
            message?: string;
            user: components["schemas"]["User"];
            /** @description the session token: ses_ followed by 43 characters */
            sessionId: string;
            /** @description the session token: ses_ followed by 43 characters */
            session_id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            expires_at: string;
            requires_2fa: boolean;
            available_methods?: components["schemas"]["SecondFactor"][];
            verification_sent?: boolean;
            /** @description seconds */
            expires_in?: number;
            session: components["schemas"]["SessionInfo"];
        };
        VerifyForGatewayReply: {
            /** @enum {boolean} */
            success: true;
        };
        Webhook: {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            url: string;
            description: string;
            events: string[];
            enabled: boolean;
            /**
             * @description why the service disabled the webhook: the receiver responded with 410 (`gone`), it accepted no event for three days (`failing`), or the database was restored from a backup (`restored`)
             * @enum {string|null}
             */
            disabled_reason: "gone" | "failing" | "restored" | null;
            /** @description names of the custom headers, without values */
            headers: string[];
            /** @description whether requests are also signed with the former secret */
            has_former_secret: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            updated_at: string;
            /** Format: date-time */
            failing_since: string | null;
            /** Format: date-time */
            paused_until: string | null;
            /** @description deliveries that are waiting for their next attempt */
            waiting: number;
            /** @description deliveries that failed and will not be retried */
            failed: number;
        };
    };
    responses: {
        /** @description `ACCOUNT_EXISTS`, `INVALID_TOKEN`, `VALIDATION_ERROR` */
        "400.ACCOUNT_EXISTS.INVALID_TOKEN.VALIDATION_ERROR": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "ACCOUNT_EXISTS" | "INVALID_TOKEN" | "VALIDATION_ERROR";
                };
            };
        };
        /** @description `EMAIL_TAKEN`, `INVALID_TOKEN`, `VALIDATION_ERROR` */
        "400.EMAIL_TAKEN.INVALID_TOKEN.VALIDATION_ERROR": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "EMAIL_TAKEN" | "INVALID_TOKEN" | "VALIDATION_ERROR";
                };
            };
        };
        /** @description `EMAIL_TAKEN`, `INVALID_TOKEN`, `WEAK_PASSWORD`, `VALIDATION_ERROR` */
        "400.EMAIL_TAKEN.INVALID_TOKEN.WEAK_PASSWORD.VALIDATION_ERROR": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "EMAIL_TAKEN" | "INVALID_TOKEN" | "WEAK_PASSWORD" | "VALIDATION_ERROR";
                };
            };
        };
        /** @description `EMAIL_TAKEN`, `PHONE_TAKEN`, `USER_NAME_TAKEN`, `WEAK_PASSWORD`, `VALIDATION_ERROR` */
        "400.EMAIL_TAKEN.PHONE_TAKEN.USER_NAME_TAKEN.WEAK_PASSWORD.VALIDATION_ERROR": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "EMAIL_TAKEN" | "PHONE_TAKEN" | "USER_NAME_TAKEN" | "WEAK_PASSWORD" | "VALIDATION_ERROR";
                };
            };
        };
        /** @description `INVALID_CODE`, `INVALID_CURRENT_PASSWORD`, `TWO_FACTOR_CODE_REQUIRED`, `TWO_FACTOR_NO_METHOD`, `VALIDATION_ERROR` */
        "400.INVALID_CODE.INVALID_CURRENT_PASSWORD.TWO_FACTOR_CODE_REQUIRED.TWO_FACTOR_NO_METHOD.VALIDATION_ERROR": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "INVALID_CODE" | "INVALID_CURRENT_PASSWORD" | "TWO_FACTOR_CODE_REQUIRED" | "TWO_FACTOR_NO_METHOD" | "VALIDATION_ERROR";
                };
            };
        };
        /** @description `INVALID_CODE`, `INVALID_CURRENT_PASSWORD`, `TWO_FACTOR_NO_METHOD`, `VALIDATION_ERROR` */
        "400.INVALID_CODE.INVALID_CURRENT_PASSWORD.TWO_FACTOR_NO_METHOD.VALIDATION_ERROR": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "INVALID_CODE" | "INVALID_CURRENT_PASSWORD" | "TWO_FACTOR_NO_METHOD" | "VALIDATION_ERROR";
                };
            };
        };
        /** @description `INVALID_CODE`, `INVALID_CURRENT_PASSWORD`, `VALIDATION_ERROR` */
        "400.INVALID_CODE.INVALID_CURRENT_PASSWORD.VALIDATION_ERROR": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "INVALID_CODE" | "INVALID_CURRENT_PASSWORD" | "VALIDATION_ERROR";
                };
            };
        };
        /** @description `INVALID_CODE`, `INVALID_TOKEN`, `VALIDATION_ERROR` */
        "400.INVALID_CODE.INVALID_TOKEN.VALIDATION_ERROR": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "INVALID_CODE" | "INVALID_TOKEN" | "VALIDATION_ERROR";
                };
            };
        };
        /** @description `INVALID_CODE`, `INVALID_TOKEN`, `WEAK_PASSWORD`, `VALIDATION_ERROR` */
        "400.INVALID_CODE.INVALID_TOKEN.WEAK_PASSWORD.VALIDATION_ERROR": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "INVALID_CODE" | "INVALID_TOKEN" | "WEAK_PASSWORD" | "VALIDATION_ERROR";
                };
            };
        };
        /** @description `INVALID_CODE`, `TWO_FACTOR_CODE_REQUIRED`, `TWO_FACTOR_NO_METHOD`, `VALIDATION_ERROR` */
        "400.INVALID_CODE.TWO_FACTOR_CODE_REQUIRED.TWO_FACTOR_NO_METHOD.VALIDATION_ERROR": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "INVALID_CODE" | "TWO_FACTOR_CODE_REQUIRED" | "TWO_FACTOR_NO_METHOD" | "VALIDATION_ERROR";
                };
            };
        };
        /** @description `INVALID_CODE`, `TWO_FACTOR_NO_METHOD`, `VALIDATION_ERROR` */
        "400.INVALID_CODE.TWO_FACTOR_NO_METHOD.VALIDATION_ERROR": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "INVALID_CODE" | "TWO_FACTOR_NO_METHOD" | "VALIDATION_ERROR";
                };
            };
        };
        /** @description `INVALID_CODE`, `VALIDATION_ERROR` */
        "400.INVALID_CODE.VALIDATION_ERROR": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "INVALID_CODE" | "VALIDATION_ERROR";
                };
            };
        };
        /** @description `INVALID_CURRENT_PASSWORD`, `LAST_SIGN_IN_METHOD`, `VALIDATION_ERROR` */
        "400.INVALID_CURRENT_PASSWORD.LAST_SIGN_IN_METHOD.VALIDATION_ERROR": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "INVALID_CURRENT_PASSWORD" | "LAST_SIGN_IN_METHOD" | "VALIDATION_ERROR";
                };
            };
        };
        /** @description `INVALID_CURRENT_PASSWORD`, `PHONE_TAKEN`, `USER_NAME_TAKEN`, `VALIDATION_ERROR` */
        "400.INVALID_CURRENT_PASSWORD.PHONE_TAKEN.USER_NAME_TAKEN.VALIDATION_ERROR": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "INVALID_CURRENT_PASSWORD" | "PHONE_TAKEN" | "USER_NAME_TAKEN" | "VALIDATION_ERROR";
                };
            };
        };
        /** @description `INVALID_CURRENT_PASSWORD`, `VALIDATION_ERROR` */
        "400.INVALID_CURRENT_PASSWORD.VALIDATION_ERROR": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "INVALID_CURRENT_PASSWORD" | "VALIDATION_ERROR";
                };
            };
        };
        /** @description `INVALID_CURRENT_PASSWORD`, `WEAK_PASSWORD`, `VALIDATION_ERROR` */
        "400.INVALID_CURRENT_PASSWORD.WEAK_PASSWORD.VALIDATION_ERROR": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "INVALID_CURRENT_PASSWORD" | "WEAK_PASSWORD" | "VALIDATION_ERROR";
                };
            };
        };
        /** @description `INVALID_TOKEN`, `VALIDATION_ERROR` */
        "400.INVALID_TOKEN.VALIDATION_ERROR": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "INVALID_TOKEN" | "VALIDATION_ERROR";
                };
            };
        };
        /** @description `PHONE_TAKEN`, `USER_NAME_TAKEN`, `VALIDATION_ERROR` */
        "400.PHONE_TAKEN.USER_NAME_TAKEN.VALIDATION_ERROR": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "PHONE_TAKEN" | "USER_NAME_TAKEN" | "VALIDATION_ERROR";
                };
            };
        };
        /** @description `VALIDATION_ERROR` */
        "400.VALIDATION_ERROR": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "VALIDATION_ERROR";
                };
            };
        };
        /** @description `WEAK_PASSWORD`, `VALIDATION_ERROR` */
        "400.WEAK_PASSWORD.VALIDATION_ERROR": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "WEAK_PASSWORD" | "VALIDATION_ERROR";
                };
            };
        };
        /** @description `module_not_installed`, `VALIDATION_ERROR` */
        "400.module_not_installed.VALIDATION_ERROR": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "module_not_installed" | "VALIDATION_ERROR";
                };
            };
        };
        /** @description `BRIDGE_SECRET_REQUIRED` */
        "401.BRIDGE_SECRET_REQUIRED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "BRIDGE_SECRET_REQUIRED";
                };
            };
        };
        /** @description `BRIDGE_SECRET_REQUIRED`, `INVALID_SESSION`, `SESSION_EXPIRED` */
        "401.BRIDGE_SECRET_REQUIRED.INVALID_SESSION.SESSION_EXPIRED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "BRIDGE_SECRET_REQUIRED" | "INVALID_SESSION" | "SESSION_EXPIRED";
                };
            };
        };
        /** @description `INVALID_CREDENTIALS` */
        "401.INVALID_CREDENTIALS": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "INVALID_CREDENTIALS";
                };
            };
        };
        /** @description `INVALID_CREDENTIALS`, `BRIDGE_SECRET_REQUIRED` */
        "401.INVALID_CREDENTIALS.BRIDGE_SECRET_REQUIRED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "INVALID_CREDENTIALS" | "BRIDGE_SECRET_REQUIRED";
                };
            };
        };
        /** @description `INVALID_CREDENTIALS`, `INVALID_PROVIDER_TOKEN` */
        "401.INVALID_CREDENTIALS.INVALID_PROVIDER_TOKEN": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "INVALID_CREDENTIALS" | "INVALID_PROVIDER_TOKEN";
                };
            };
        };
        /** @description `INVALID_CREDENTIALS`, `INVALID_PROVIDER_TOKEN`, `BRIDGE_SECRET_REQUIRED` */
        "401.INVALID_CREDENTIALS.INVALID_PROVIDER_TOKEN.BRIDGE_SECRET_REQUIRED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "INVALID_CREDENTIALS" | "INVALID_PROVIDER_TOKEN" | "BRIDGE_SECRET_REQUIRED";
                };
            };
        };
        /** @description `INVALID_SESSION` */
        "401.INVALID_SESSION": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "INVALID_SESSION";
                };
            };
        };
        /** @description `INVALID_SESSION`, `SESSION_EXPIRED` */
        "401.INVALID_SESSION.SESSION_EXPIRED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "INVALID_SESSION" | "SESSION_EXPIRED";
                };
            };
        };
        /** @description `INVALID_SESSION`, `SESSION_EXPIRED`, `TWO_FACTOR_REQUIRED` */
        "401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "INVALID_SESSION" | "SESSION_EXPIRED" | "TWO_FACTOR_REQUIRED";
                };
            };
        };
        /** @description `INVALID_SESSION`, `SESSION_EXPIRED`, `TWO_FACTOR_REQUIRED`, `BRIDGE_SECRET_REQUIRED` */
        "401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED.BRIDGE_SECRET_REQUIRED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "INVALID_SESSION" | "SESSION_EXPIRED" | "TWO_FACTOR_REQUIRED" | "BRIDGE_SECRET_REQUIRED";
                };
            };
        };
        /** @description `INVALID_SESSION`, `TWO_FACTOR_REQUIRED`, `BRIDGE_SECRET_REQUIRED` */
        "401.INVALID_SESSION.TWO_FACTOR_REQUIRED.BRIDGE_SECRET_REQUIRED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "INVALID_SESSION" | "TWO_FACTOR_REQUIRED" | "BRIDGE_SECRET_REQUIRED";
                };
            };
        };
        /** @description `TWO_FACTOR_REQUIRED`, `INVALID_SESSION`, `SESSION_EXPIRED`, `BRIDGE_SECRET_REQUIRED` */
        "401.TWO_FACTOR_REQUIRED.INVALID_SESSION.SESSION_EXPIRED.BRIDGE_SECRET_REQUIRED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "TWO_FACTOR_REQUIRED" | "INVALID_SESSION" | "SESSION_EXPIRED" | "BRIDGE_SECRET_REQUIRED";
                };
            };
        };
        /** @description `ACCOUNT_BLOCKED` */
        "403.ACCOUNT_BLOCKED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "ACCOUNT_BLOCKED";
                };
            };
        };
        /** @description `ACCOUNT_BLOCKED`, `EMAIL_NOT_VERIFIED` */
        "403.ACCOUNT_BLOCKED.EMAIL_NOT_VERIFIED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "ACCOUNT_BLOCKED" | "EMAIL_NOT_VERIFIED";
                };
            };
        };
        /** @description `ACCOUNT_BLOCKED`, `EMAIL_NOT_VERIFIED`, `REGISTRATION_DISABLED`, `REGISTRATION_REFUSED` */
        "403.ACCOUNT_BLOCKED.EMAIL_NOT_VERIFIED.REGISTRATION_DISABLED.REGISTRATION_REFUSED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "ACCOUNT_BLOCKED" | "EMAIL_NOT_VERIFIED" | "REGISTRATION_DISABLED" | "REGISTRATION_REFUSED";
                };
            };
        };
        /** @description `ACCOUNT_BLOCKED`, `EMAIL_NOT_VERIFIED`, `REGISTRATION_DISABLED`, `REGISTRATION_REFUSED`, `CSRF_REJECTED`, `IMPERSONATED` */
        "403.ACCOUNT_BLOCKED.EMAIL_NOT_VERIFIED.REGISTRATION_DISABLED.REGISTRATION_REFUSED.CSRF_REJECTED.IMPERSONATED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "ACCOUNT_BLOCKED" | "EMAIL_NOT_VERIFIED" | "REGISTRATION_DISABLED" | "REGISTRATION_REFUSED" | "CSRF_REJECTED" | "IMPERSONATED";
                };
            };
        };
        /** @description `ACCOUNT_BLOCKED`, `EMAIL_NOT_VERIFIED`, `REGISTRATION_REFUSED` */
        "403.ACCOUNT_BLOCKED.EMAIL_NOT_VERIFIED.REGISTRATION_REFUSED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "ACCOUNT_BLOCKED" | "EMAIL_NOT_VERIFIED" | "REGISTRATION_REFUSED";
                };
            };
        };
        /** @description `BOOKMARKS_DISABLED`, `PASSWORD_REQUIRED`, `CSRF_REJECTED`, `IMPERSONATED` */
        "403.BOOKMARKS_DISABLED.PASSWORD_REQUIRED.CSRF_REJECTED.IMPERSONATED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "BOOKMARKS_DISABLED" | "PASSWORD_REQUIRED" | "CSRF_REJECTED" | "IMPERSONATED";
                };
            };
        };
        /** @description `COMMENTS_DISABLED`, `PASSWORD_REQUIRED`, `CSRF_REJECTED`, `IMPERSONATED` */
        "403.COMMENTS_DISABLED.PASSWORD_REQUIRED.CSRF_REJECTED.IMPERSONATED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "COMMENTS_DISABLED" | "PASSWORD_REQUIRED" | "CSRF_REJECTED" | "IMPERSONATED";
                };
            };
        };
        /** @description `CSRF_REJECTED` */
        "403.CSRF_REJECTED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "CSRF_REJECTED";
                };
            };
        };
        /** @description `CSRF_REJECTED`, `FORBIDDEN`, `IMPERSONATED` */
        "403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "CSRF_REJECTED" | "FORBIDDEN" | "IMPERSONATED";
                };
            };
        };
        /** @description `CSRF_REJECTED`, `FORBIDDEN`, `REAUTH_REQUIRED`, `IMPERSONATED` */
        "403.CSRF_REJECTED.FORBIDDEN.REAUTH_REQUIRED.IMPERSONATED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "CSRF_REJECTED" | "FORBIDDEN" | "REAUTH_REQUIRED" | "IMPERSONATED";
                };
            };
        };
        /** @description `CSRF_REJECTED`, `IMPERSONATED` */
        "403.CSRF_REJECTED.IMPERSONATED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "CSRF_REJECTED" | "IMPERSONATED";
                };
            };
        };
        /** @description `EDIT_WINDOW_CLOSED`, `FORBIDDEN`, `PASSWORD_REQUIRED`, `CSRF_REJECTED`, `IMPERSONATED` */
        "403.EDIT_WINDOW_CLOSED.FORBIDDEN.PASSWORD_REQUIRED.CSRF_REJECTED.IMPERSONATED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "EDIT_WINDOW_CLOSED" | "FORBIDDEN" | "PASSWORD_REQUIRED" | "CSRF_REJECTED" | "IMPERSONATED";
                };
            };
        };
        /** @description `EMAIL_NOT_VERIFIED`, `CSRF_REJECTED`, `FORBIDDEN`, `IMPERSONATED` */
        "403.EMAIL_NOT_VERIFIED.CSRF_REJECTED.FORBIDDEN.IMPERSONATED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "EMAIL_NOT_VERIFIED" | "CSRF_REJECTED" | "FORBIDDEN" | "IMPERSONATED";
                };
            };
        };
        /** @description `FORBIDDEN`, `CSRF_REJECTED` */
        "403.FORBIDDEN.CSRF_REJECTED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "FORBIDDEN" | "CSRF_REJECTED";
                };
            };
        };
        /** @description `FORBIDDEN`, `PASSWORD_REQUIRED`, `CSRF_REJECTED` */
        "403.FORBIDDEN.PASSWORD_REQUIRED.CSRF_REJECTED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "FORBIDDEN" | "PASSWORD_REQUIRED" | "CSRF_REJECTED";
                };
            };
        };
        /** @description `FORBIDDEN`, `PASSWORD_REQUIRED`, `CSRF_REJECTED`, `IMPERSONATED` */
        "403.FORBIDDEN.PASSWORD_REQUIRED.CSRF_REJECTED.IMPERSONATED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "FORBIDDEN" | "PASSWORD_REQUIRED" | "CSRF_REJECTED" | "IMPERSONATED";
                };
            };
        };
        /** @description `IMPERSONATED` */
        "403.IMPERSONATED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "IMPERSONATED";
                };
            };
        };
        /** @description `LAST_SUPERADMIN`, `CSRF_REJECTED`, `FORBIDDEN`, `REAUTH_REQUIRED`, `IMPERSONATED` */
        "403.LAST_SUPERADMIN.CSRF_REJECTED.FORBIDDEN.REAUTH_REQUIRED.IMPERSONATED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "LAST_SUPERADMIN" | "CSRF_REJECTED" | "FORBIDDEN" | "REAUTH_REQUIRED" | "IMPERSONATED";
                };
            };
        };
        /** @description `LAST_SUPERADMIN`, `REAUTH_REQUIRED`, `CSRF_REJECTED`, `IMPERSONATED` */
        "403.LAST_SUPERADMIN.REAUTH_REQUIRED.CSRF_REJECTED.IMPERSONATED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "LAST_SUPERADMIN" | "REAUTH_REQUIRED" | "CSRF_REJECTED" | "IMPERSONATED";
                };
            };
        };
        /** @description `PASSWORD_REQUIRED`, `CSRF_REJECTED` */
        "403.PASSWORD_REQUIRED.CSRF_REJECTED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "PASSWORD_REQUIRED" | "CSRF_REJECTED";
                };
            };
        };
        /** @description `PASSWORD_REQUIRED`, `CSRF_REJECTED`, `FORBIDDEN`, `IMPERSONATED` */
        "403.PASSWORD_REQUIRED.CSRF_REJECTED.FORBIDDEN.IMPERSONATED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "PASSWORD_REQUIRED" | "CSRF_REJECTED" | "FORBIDDEN" | "IMPERSONATED";
                };
            };
        };
        /** @description `PASSWORD_REQUIRED`, `CSRF_REJECTED`, `IMPERSONATED` */
        "403.PASSWORD_REQUIRED.CSRF_REJECTED.IMPERSONATED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "PASSWORD_REQUIRED" | "CSRF_REJECTED" | "IMPERSONATED";
                };
            };
        };
        /** @description `PASSWORD_REQUIRED`, `REACTIONS_DISABLED`, `CSRF_REJECTED`, `IMPERSONATED` */
        "403.PASSWORD_REQUIRED.REACTIONS_DISABLED.CSRF_REJECTED.IMPERSONATED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "PASSWORD_REQUIRED" | "REACTIONS_DISABLED" | "CSRF_REJECTED" | "IMPERSONATED";
                };
            };
        };
        /** @description `REAUTH_REQUIRED`, `ACCOUNT_BLOCKED`, `CSRF_REJECTED`, `FORBIDDEN`, `IMPERSONATED` */
        "403.REAUTH_REQUIRED.ACCOUNT_BLOCKED.CSRF_REJECTED.FORBIDDEN.IMPERSONATED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "REAUTH_REQUIRED" | "ACCOUNT_BLOCKED" | "CSRF_REJECTED" | "FORBIDDEN" | "IMPERSONATED";
                };
            };
        };
        /** @description `REAUTH_REQUIRED`, `CSRF_REJECTED`, `FORBIDDEN`, `IMPERSONATED` */
        "403.REAUTH_REQUIRED.CSRF_REJECTED.FORBIDDEN.IMPERSONATED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "REAUTH_REQUIRED" | "CSRF_REJECTED" | "FORBIDDEN" | "IMPERSONATED";
                };
            };
        };
        /** @description `REAUTH_REQUIRED`, `CSRF_REJECTED`, `IMPERSONATED` */
        "403.REAUTH_REQUIRED.CSRF_REJECTED.IMPERSONATED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "REAUTH_REQUIRED" | "CSRF_REJECTED" | "IMPERSONATED";
                };
            };
        };
        /** @description `REGISTRATION_DISABLED`, `REGISTRATION_REFUSED` */
        "403.REGISTRATION_DISABLED.REGISTRATION_REFUSED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "REGISTRATION_DISABLED" | "REGISTRATION_REFUSED";
                };
            };
        };
        /** @description `NOT_FOUND` */
        "404.NOT_FOUND": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "NOT_FOUND";
                };
            };
        };
        /** @description `NOT_FOUND`, `module_not_installed` */
        "404.NOT_FOUND.module_not_installed": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "NOT_FOUND" | "module_not_installed";
                };
            };
        };
        /** @description `module_not_installed` */
        "404.module_not_installed": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "module_not_installed";
                };
            };
        };
        /** @description `VALIDATION_ERROR` */
        "408.VALIDATION_ERROR": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "VALIDATION_ERROR";
                };
            };
        };
        /** @description `BUILT_IN` */
        "409.BUILT_IN": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "BUILT_IN";
                };
            };
        };
        /** @description `BUILT_IN`, `EDIT_CONFLICT`, `SLUG_PREFIX_TAKEN` */
        "409.BUILT_IN.EDIT_CONFLICT.SLUG_PREFIX_TAKEN": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "BUILT_IN" | "EDIT_CONFLICT" | "SLUG_PREFIX_TAKEN";
                };
            };
        };
        /** @description `BUILT_IN`, `IN_USE` */
        "409.BUILT_IN.IN_USE": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "BUILT_IN" | "IN_USE";
                };
            };
        };
        /** @description `EDIT_CONFLICT` */
        "409.EDIT_CONFLICT": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "EDIT_CONFLICT";
                };
            };
        };
        /** @description `EDIT_CONFLICT`, `MAX_PER_AUTHOR`, `POST_TYPE_INACTIVE`, `SCHEDULING_DISABLED`, `SLUG_TAKEN` */
        "409.EDIT_CONFLICT.MAX_PER_AUTHOR.POST_TYPE_INACTIVE.SCHEDULING_DISABLED.SLUG_TAKEN": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "EDIT_CONFLICT" | "MAX_PER_AUTHOR" | "POST_TYPE_INACTIVE" | "SCHEDULING_DISABLED" | "SLUG_TAKEN";
                };
            };
        };
        /** @description `EDIT_CONFLICT`, `POST_TYPE_INACTIVE`, `SCHEDULING_DISABLED` */
        "409.EDIT_CONFLICT.POST_TYPE_INACTIVE.SCHEDULING_DISABLED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "EDIT_CONFLICT" | "POST_TYPE_INACTIVE" | "SCHEDULING_DISABLED";
                };
            };
        };
        /** @description `EDIT_CONFLICT`, `SLUG_TAKEN` */
        "409.EDIT_CONFLICT.SLUG_TAKEN": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "EDIT_CONFLICT" | "SLUG_TAKEN";
                };
            };
        };
        /** @description `INSTALL_LOCKED` */
        "409.INSTALL_LOCKED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "INSTALL_LOCKED";
                };
            };
        };
        /** @description `INSTALL_LOCKED`, `MODULE_DEPENDENCY_ERROR`, `MODULE_DRIFT` */
        "409.INSTALL_LOCKED.MODULE_DEPENDENCY_ERROR.MODULE_DRIFT": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "INSTALL_LOCKED" | "MODULE_DEPENDENCY_ERROR" | "MODULE_DRIFT";
                };
            };
        };
        /** @description `KEY_TAKEN`, `SLUG_PREFIX_TAKEN` */
        "409.KEY_TAKEN.SLUG_PREFIX_TAKEN": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "KEY_TAKEN" | "SLUG_PREFIX_TAKEN";
                };
            };
        };
        /** @description `MAX_PER_AUTHOR`, `POST_TYPE_INACTIVE`, `SCHEDULING_DISABLED`, `SLUG_TAKEN` */
        "409.MAX_PER_AUTHOR.POST_TYPE_INACTIVE.SCHEDULING_DISABLED.SLUG_TAKEN": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "MAX_PER_AUTHOR" | "POST_TYPE_INACTIVE" | "SCHEDULING_DISABLED" | "SLUG_TAKEN";
                };
            };
        };
        /** @description `MESSAGE_NOT_RETRYABLE` */
        "409.MESSAGE_NOT_RETRYABLE": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "MESSAGE_NOT_RETRYABLE";
                };
            };
        };
        /** @description `NAME_TAKEN`, `SLUG_TAKEN` */
        "409.NAME_TAKEN.SLUG_TAKEN": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "NAME_TAKEN" | "SLUG_TAKEN";
                };
            };
        };
        /** @description `NOT_DELETED`, `SLUG_TAKEN` */
        "409.NOT_DELETED.SLUG_TAKEN": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "NOT_DELETED" | "SLUG_TAKEN";
                };
            };
        };
        /** @description `ONBOARDING_COMPLETED` */
        "409.ONBOARDING_COMPLETED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "ONBOARDING_COMPLETED";
                };
            };
        };
        /** @description `POST_ALREADY_PUBLISHED`, `TOO_MANY_PREVIEW_LINKS` */
        "409.POST_ALREADY_PUBLISHED.TOO_MANY_PREVIEW_LINKS": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "POST_ALREADY_PUBLISHED" | "TOO_MANY_PREVIEW_LINKS";
                };
            };
        };
        /** @description `POST_NOT_PUBLISHED` */
        "409.POST_NOT_PUBLISHED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "POST_NOT_PUBLISHED";
                };
            };
        };
        /** @description `POST_TYPE_INACTIVE`, `SCHEDULING_DISABLED` */
        "409.POST_TYPE_INACTIVE.SCHEDULING_DISABLED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "POST_TYPE_INACTIVE" | "SCHEDULING_DISABLED";
                };
            };
        };
        /** @description `EVENTS_EXPIRED` */
        "410.EVENTS_EXPIRED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "EVENTS_EXPIRED";
                };
            };
        };
        /** @description `PREVIEW_LINK_EXPIRED` */
        "410.PREVIEW_LINK_EXPIRED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "PREVIEW_LINK_EXPIRED";
                };
            };
        };
        /** @description `PAYLOAD_TOO_LARGE` */
        "413.PAYLOAD_TOO_LARGE": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "PAYLOAD_TOO_LARGE";
                };
            };
        };
        /** @description `UNSUPPORTED_MEDIA_TYPE` */
        "415.UNSUPPORTED_MEDIA_TYPE": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "UNSUPPORTED_MEDIA_TYPE";
                };
            };
        };
        /** @description `ACCOUNT_LOCKED`, `RATE_LIMITED` */
        "429.ACCOUNT_LOCKED.RATE_LIMITED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "ACCOUNT_LOCKED" | "RATE_LIMITED";
                };
            };
        };
        /** @description `RATE_LIMITED` */
        "429.RATE_LIMITED": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "RATE_LIMITED";
                };
            };
        };
        /** @description `INTERNAL_ERROR` */
        "500.INTERNAL_ERROR": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "INTERNAL_ERROR";
                };
            };
        };
        /** @description `MODULE_RUN_FAILED`, `INTERNAL_ERROR` */
        "500.MODULE_RUN_FAILED.INTERNAL_ERROR": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "MODULE_RUN_FAILED" | "INTERNAL_ERROR";
                };
            };
        };
        /** @description `MODULE_DISABLED`, `UNAVAILABLE` */
        "503.MODULE_DISABLED.UNAVAILABLE": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "MODULE_DISABLED" | "UNAVAILABLE";
                };
            };
        };
        /** @description `NOT_CONFIGURED`, `MODULE_DISABLED`, `UNAVAILABLE` */
        "503.NOT_CONFIGURED.MODULE_DISABLED.UNAVAILABLE": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "NOT_CONFIGURED" | "MODULE_DISABLED" | "UNAVAILABLE";
                };
            };
        };
        /** @description `NOT_CONFIGURED`, `UNAVAILABLE` */
        "503.NOT_CONFIGURED.UNAVAILABLE": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "NOT_CONFIGURED" | "UNAVAILABLE";
                };
            };
        };
        /** @description `UNAVAILABLE` */
        "503.UNAVAILABLE": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "UNAVAILABLE";
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The request id in the log. */
        "X-Request-Id": string;
        /** @description Maximum number of requests per window. */
        "X-RateLimit-Limit": number;
        /** @description Remaining requests in the current window. */
        "X-RateLimit-Remaining": number;
        /** @description Unix time in seconds at which the window ends. */
        "X-RateLimit-Reset": number;
        /** @description Seconds to wait before retrying. */
        "Retry-After": number;
        /** @description Only for requests with `Authorization: Bearer` (RFC 6750). */
        "WWW-Authenticate": string;
        /** @description Sets or clears the session cookie if the request comes from an allowed origin. */
        "Set-Cookie": string;
        /** @description URL the browser is redirected to. */
        Location: string;
        /** @description Time at which the URL is deprecated (RFC 9745). */
        Deprecation: string;
        /** @description The URL that replaces this one, with the relation `successor-version`. */
        Link: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    signIn: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only with X-Bridge-Secret: the IP address of the end user on whose behalf a back end calls. Used for rate limits, the audit log and emails. */
                "X-End-User-IP"?: string;
                /** @description Only with X-End-User-IP: the end user's user agent. */
                "X-End-User-Agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "password": "seven quiet river stones"
                 *     }
                 */
                "application/json": {
                    /** @description an email address or a user name */
                    email?: string;
                    /** @description an email address or a user name */
                    user_name?: string;
                    /** @description 1 to 256 characters; not trimmed */
                    password: string;
                    /** @description device name chosen by the client */
                    device_id?: string;
                };
            };
        };
        responses: {
            /** @description The session, or the available second factors if one is required. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "user": {
                     *         "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *         "email": "ada@example.com",
                     *         "name": "Ada",
                     *         "last_name": "Lovelace",
                     *         "user_name": "ada",
                     *         "user_type": "customer",
                     *         "picture": "",
                     *         "is_verified": true,
                     *         "two_factor": false,
                     *         "lang": "en",
                     *         "metadata": {},
                     *         "tmz": null,
                     *         "dob": null,
                     *         "display_name": null,
                     *         "first_time": true,
                     *         "gender": null,
                     *         "title": null
                     *       },
                     *       "sessionId": "ses_7fJx2kQmZt9wB4nVc8LpRs1yDh5aGe3uKo6iXqT0zMA",
                     *       "session_id": "ses_7fJx2kQmZt9wB4nVc8LpRs1yDh5aGe3uKo6iXqT0zMA",
                     *       "expiresAt": "2026-11-27T17:48:31.705Z",
                     *       "expires_at": "2026-11-27T17:48:31.705Z",
                     *       "requires_2fa": false,
                     *       "message": "Signed in"
                     *     }
                     */
                    "application/json": components["schemas"]["SignIn"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_CREDENTIALS.BRIDGE_SECRET_REQUIRED"];
            403: components["responses"]["403.ACCOUNT_BLOCKED.EMAIL_NOT_VERIFIED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.ACCOUNT_LOCKED.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    register: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only with X-Bridge-Secret: the IP address of the end user on whose behalf a back end calls. Used for rate limits, the audit log and emails. */
                "X-End-User-IP"?: string;
                /** @description Only with X-End-User-IP: the end user's user agent. */
                "X-End-User-Agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "password": "seven quiet river stones",
                 *       "name": "Ada",
                 *       "last_name": "Lovelace"
                 *     }
                 */
                "application/json": {
                    email: string;
                    password: string;
                    /** @description first name */
                    name?: string;
                    /** @description last name */
                    last_name?: string;
                    /** @description 3 to 32 letters, digits, dots, hyphens or underscores; generated if absent */
                    user_name?: string;
                    /** @description international format */
                    phone?: string;
                    /** @description BCP 47, such as es-MX */
                    lang?: string;
                    /** @description an https URL */
                    picture?: string;
                    /** @description IANA time zone */
                    tmz?: string;
                    /** @description sign-in flow id; only for the service's own pages */
                    flow?: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "user": {
                     *         "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *         "email": "ada@example.com",
                     *         "name": "Ada",
                     *         "last_name": "Lovelace",
                     *         "user_name": "ada",
                     *         "user_type": "customer",
                     *         "picture": "",
                     *         "is_verified": true,
                     *         "two_factor": false,
                     *         "lang": "en",
                     *         "metadata": {},
                     *         "tmz": null,
                     *         "dob": null,
                     *         "display_name": null,
                     *         "first_time": true,
                     *         "gender": null,
                     *         "title": null
                     *       },
                     *       "sessionId": "ses_7fJx2kQmZt9wB4nVc8LpRs1yDh5aGe3uKo6iXqT0zMA",
                     *       "session_id": "ses_7fJx2kQmZt9wB4nVc8LpRs1yDh5aGe3uKo6iXqT0zMA",
                     *       "expiresAt": "2026-11-27T17:48:31.705Z",
                     *       "expires_at": "2026-11-27T17:48:31.705Z",
                     *       "requires_2fa": false,
                     *       "message": "Registered",
                     *       "data": {
                     *         "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *         "user": {
                     *           "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *           "email": "ada@example.com",
                     *           "name": "Ada",
                     *           "last_name": "Lovelace",
                     *           "user_name": "ada",
                     *           "user_type": "customer",
                     *           "is_verified": true
                     *         },
                     *         "sessionId": "ses_7fJx2kQmZt9wB4nVc8LpRs1yDh5aGe3uKo6iXqT0zMA",
                     *         "session_id": "ses_7fJx2kQmZt9wB4nVc8LpRs1yDh5aGe3uKo6iXqT0zMA",
                     *         "expiresAt": "2026-11-27T17:48:31.705Z",
                     *         "expires_at": "2026-11-27T17:48:31.705Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        user?: components["schemas"]["User"];
                        sessionId?: string;
                        session_id?: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC, with milliseconds
                         */
                        expiresAt?: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC, with milliseconds
                         */
                        expires_at?: string;
                        requires_2fa?: boolean;
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            id?: string;
                            user: {
                                /**
                                 * Format: uuid
                                 * @description opaque identifier
                                 */
                                id?: string;
                                email: string;
                                name: string;
                                last_name: string;
                                user_name: string;
                                user_type: string;
                                is_verified: boolean;
                                requiresVerification?: boolean;
                            };
                            sessionId?: string;
                            session_id?: string;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, with milliseconds
                             */
                            expiresAt?: string;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, with milliseconds
                             */
                            expires_at?: string;
                        };
                    };
                };
            };
            400: components["responses"]["400.EMAIL_TAKEN.PHONE_TAKEN.USER_NAME_TAKEN.WEAK_PASSWORD.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_CREDENTIALS.BRIDGE_SECRET_REQUIRED"];
            403: components["responses"]["403.REGISTRATION_DISABLED.REGISTRATION_REFUSED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    validateSession: {
        parameters: {
            query?: {
                /** @description session token, if it is neither in a header nor in the cookie */
                session_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result of the check. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "user": {
                     *         "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *         "email": "ada@example.com",
                     *         "name": "Ada",
                     *         "last_name": "Lovelace",
                     *         "user_name": "ada",
                     *         "user_type": "customer",
                     *         "picture": "",
                     *         "is_verified": true,
                     *         "two_factor": false,
                     *         "lang": "en",
                     *         "metadata": {},
                     *         "tmz": null,
                     *         "dob": null,
                     *         "display_name": null,
                     *         "first_time": true,
                     *         "gender": null,
                     *         "title": null
                     *       },
                     *       "sessionId": "ses_7fJx2kQmZt9wB4nVc8LpRs1yDh5aGe3uKo6iXqT0zMA",
                     *       "session_id": "ses_7fJx2kQmZt9wB4nVc8LpRs1yDh5aGe3uKo6iXqT0zMA",
                     *       "expiresAt": "2026-11-27T17:48:31.705Z",
                     *       "expires_at": "2026-11-27T17:48:31.705Z",
                     *       "requires_2fa": false,
                     *       "session": {
                     *         "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *         "user_id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *         "userId": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *         "expiresAt": "2026-11-27T17:48:31.705Z",
                     *         "expires_at": "2026-11-27T17:48:31.705Z",
                     *         "lastUsedAt": "2026-11-20T17:48:31.705Z",
                     *         "two_factor_verified": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Validation"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED"];
            403: components["responses"]["403.CSRF_REJECTED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    validateSessionInBody: {
        parameters: {
            query?: {
                /** @description session token, if it is neither in a header nor in the cookie */
                session_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "session_id": "ses_7fJx2kQmZt9wB4nVc8LpRs1yDh5aGe3uKo6iXqT0zMA"
                 *     }
                 */
                "application/json": {
                    session_id?: string;
                };
            };
        };
        responses: {
            /** @description The result of the check. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Validation"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED"];
            403: components["responses"]["403.CSRF_REJECTED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    getSession: {
        parameters: {
            query?: {
                /** @description session token, if it is neither in a header nor in the cookie */
                session_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentSession"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED"];
            403: components["responses"]["403.CSRF_REJECTED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    getCurrentUser: {
        parameters: {
            query?: {
                /** @description session token, if it is neither in a header nor in the cookie */
                session_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "user": {
                     *         "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *         "email": "ada@example.com",
                     *         "name": "Ada",
                     *         "last_name": "Lovelace",
                     *         "user_name": "ada",
                     *         "user_type": "customer",
                     *         "picture": "",
                     *         "is_verified": true,
                     *         "two_factor": false,
                     *         "lang": "en",
                     *         "metadata": {},
                     *         "tmz": null,
                     *         "dob": null,
                     *         "display_name": null,
                     *         "first_time": true,
                     *         "gender": null,
                     *         "title": null
                     *       },
                     *       "sessionId": "ses_7fJx2kQmZt9wB4nVc8LpRs1yDh5aGe3uKo6iXqT0zMA",
                     *       "session_id": "ses_7fJx2kQmZt9wB4nVc8LpRs1yDh5aGe3uKo6iXqT0zMA",
                     *       "expiresAt": "2026-11-27T17:48:31.705Z",
                     *       "expires_at": "2026-11-27T17:48:31.705Z",
                     *       "requires_2fa": false,
                     *       "data": {
                     *         "user": {
                     *           "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *           "email": "ada@example.com",
                     *           "name": "Ada",
                     *           "last_name": "Lovelace",
                     *           "user_name": "ada",
                     *           "user_type": "customer",
                     *           "picture": "",
                     *           "is_verified": true,
                     *           "two_factor": false,
                     *           "lang": "en",
                     *           "metadata": {},
                     *           "tmz": null,
                     *           "dob": null,
                     *           "display_name": null,
                     *           "first_time": true,
                     *           "gender": null,
                     *           "title": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED"];
            403: components["responses"]["403.CSRF_REJECTED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    getUserForBridge: {
        parameters: {
            query?: {
                /** @description session token, if it is neither in a header nor in the cookie */
                session_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "user": {
                     *         "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *         "email": "ada@example.com",
                     *         "name": "Ada",
                     *         "last_name": "Lovelace",
                     *         "user_name": "ada",
                     *         "user_type": "customer",
                     *         "picture": "",
                     *         "is_verified": true,
                     *         "two_factor": false,
                     *         "lang": "en",
                     *         "metadata": {},
                     *         "tmz": null,
                     *         "dob": null,
                     *         "display_name": null,
                     *         "first_time": true,
                     *         "gender": null,
                     *         "title": null
                     *       },
                     *       "sessionId": "ses_7fJx2kQmZt9wB4nVc8LpRs1yDh5aGe3uKo6iXqT0zMA",
                     *       "expiresAt": "2026-11-27T17:48:31.705Z"
                     *     }
                     */
                    "application/json": components["schemas"]["UserMe"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.BRIDGE_SECRET_REQUIRED.INVALID_SESSION.SESSION_EXPIRED"];
            403: components["responses"]["403.CSRF_REJECTED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    deleteCurrentUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "current_password": "seven quiet river stones",
                 *       "reason": "no longer needed"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description always checked if present, even after a recent sign-in
                     * @example seven quiet river stones
                     */
                    current_password?: string;
                    /**
                     * @description recorded in the audit log
                     * @example no longer needed
                     */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        data: {
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, with milliseconds
                             */
                            restorable_until: string;
                        };
                    };
                };
            };
            400: components["responses"]["400.INVALID_CURRENT_PASSWORD.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.LAST_SUPERADMIN.REAUTH_REQUIRED.CSRF_REJECTED.IMPERSONATED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.ACCOUNT_LOCKED.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    refreshSession: {
        parameters: {
            query?: {
                /** @description session token, if it is neither in a header nor in the cookie */
                session_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "user": {
                     *         "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *         "email": "ada@example.com",
                     *         "name": "Ada",
                     *         "last_name": "Lovelace",
                     *         "user_name": "ada",
                     *         "user_type": "customer",
                     *         "picture": "",
                     *         "is_verified": true,
                     *         "two_factor": false,
                     *         "lang": "en",
                     *         "metadata": {},
                     *         "tmz": null,
                     *         "dob": null,
                     *         "display_name": null,
                     *         "first_time": true,
                     *         "gender": null,
                     *         "title": null
                     *       },
                     *       "sessionId": "ses_7fJx2kQmZt9wB4nVc8LpRs1yDh5aGe3uKo6iXqT0zMA",
                     *       "session_id": "ses_7fJx2kQmZt9wB4nVc8LpRs1yDh5aGe3uKo6iXqT0zMA",
                     *       "expiresAt": "2026-11-27T17:48:31.705Z",
                     *       "expires_at": "2026-11-27T17:48:31.705Z",
                     *       "requires_2fa": false,
                     *       "message": "Session extended"
                     *     }
                     */
                    "application/json": components["schemas"]["SignIn"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.IMPERSONATED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    signOut: {
        parameters: {
            query?: {
                /** @description session token, if it is neither in a header nor in the cookie */
                session_id?: string;
                /** @description default: sign_in */
                scope?: "sign_in" | "application";
            };
            header?: {
                /** @description Only with X-Bridge-Secret: the IP address of the end user on whose behalf a back end calls. Used for rate limits, the audit log and emails. */
                "X-End-User-IP"?: string;
                /** @description Only with X-End-User-IP: the end user's user agent. */
                "X-End-User-Agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Logged out"
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.BRIDGE_SECRET_REQUIRED.INVALID_SESSION.SESSION_EXPIRED"];
            403: components["responses"]["403.CSRF_REJECTED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    invalidateCache: {
        parameters: {
            query?: {
                /** @description session token, if it is neither in a header nor in the cookie */
                session_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC, with milliseconds
                         */
                        timestamp: string;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.IMPERSONATED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    validateSessionForBridge: {
        parameters: {
            query?: {
                /** @description session token, if it is neither in a header nor in the cookie */
                session_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "session_id": "ses_7fJx2kQmZt9wB4nVc8LpRs1yDh5aGe3uKo6iXqT0zMA"
                 *     }
                 */
                "application/json": {
                    session_id?: string;
                    /** @description several session tokens, instead of session_id */
                    session_ids?: string[];
                    /** @description only with session_ids: for each session, the `tag` from an earlier response, or an empty string */
                    tags?: string[];
                    /** @description only with session_ids: the end user of each session, in the same order */
                    end_users?: {
                        /** @description IP address of the end user */
                        ip?: string;
                        /** @description user agent of the end user */
                        user_agent?: string;
                        /**
                         * @description with SESSION_BINDING: compare only the user agent, because `ip` is not known
                         * @enum {string}
                         */
                        compare?: "user_agent";
                    }[];
                    /** @description IP address of the end user */
                    ip?: string;
                    /** @description user agent of the end user */
                    user_agent?: string;
                    /** @description device of the end user */
                    device_id?: string;
                    /**
                     * @description with SESSION_BINDING: compare only the user agent, because `ip` is not known
                     * @enum {string}
                     */
                    compare?: "user_agent";
                };
            };
        };
        responses: {
            /** @description The result of the check. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "user": {
                     *         "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *         "email": "ada@example.com",
                     *         "name": "Ada",
                     *         "last_name": "Lovelace",
                     *         "user_name": "ada",
                     *         "user_type": "customer",
                     *         "picture": "",
                     *         "is_verified": true,
                     *         "two_factor": false,
                     *         "phone": ""
                     *       },
                     *       "session": {
                     *         "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *         "userId": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *         "expiresAt": "2026-11-27T17:48:31.705Z",
                     *         "ipAddress": "203.0.113.7",
                     *         "userAgent": "Mozilla/5.0",
                     *         "lastUsedAt": "2026-11-20T17:48:31.705Z",
                     *         "two_factor_verified": 0,
                     *         "application": null,
                     *         "impersonatedBy": null
                     *       },
                     *       "expires_at": "2026-11-27T17:48:31.705Z",
                     *       "authenticated_at": "2026-11-20T17:48:31.705Z",
                     *       "methods": [
                     *         "pwd"
                     *       ],
                     *       "cached": true,
                     *       "cacheSource": "memory",
                     *       "timestamp": "2026-11-20T17:48:31.705Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ValidatedSession"] | components["schemas"]["ValidatedSessions"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED.BRIDGE_SECRET_REQUIRED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    streamBridgeEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event stream. It ends when the service stops. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.BRIDGE_SECRET_REQUIRED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    verifyForGateway: {
        parameters: {
            query?: {
                /** @description responds with a redirect to the sign-in page if a visitor who is not signed in opens a page */
                redirect?: boolean;
                /** @description origin or app scheme of the application behind the gateway, such as `https://shop.example`: its sessions are accepted in addition to browser sessions */
                application?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifyForGatewayReply"];
                    "text/html": string;
                };
            };
            /** @description A redirect to the sign-in page, if the gateway requests it and a visitor who is not signed in opens a page. */
            302: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.TWO_FACTOR_REQUIRED.BRIDGE_SECRET_REQUIRED"];
            403: components["responses"]["403.IMPERSONATED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    verifyForGatewayByPost: {
        parameters: {
            query?: {
                /** @description responds with a redirect to the sign-in page if a visitor who is not signed in opens a page */
                redirect?: boolean;
                /** @description origin or app scheme of the application behind the gateway, such as `https://shop.example`: its sessions are accepted in addition to browser sessions */
                application?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifyForGatewayReply"];
                    "text/html": string;
                };
            };
            /** @description A redirect to the sign-in page, if the gateway requests it and a visitor who is not signed in opens a page. */
            302: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.TWO_FACTOR_REQUIRED.BRIDGE_SECRET_REQUIRED"];
            403: components["responses"]["403.IMPERSONATED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    redeemHandover: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only with X-Bridge-Secret: the IP address of the end user on whose behalf a back end calls. Used for rate limits, the audit log and emails. */
                "X-End-User-IP"?: string;
                /** @description Only with X-End-User-IP: the end user's user agent. */
                "X-End-User-Agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "x7Qm2vTqk0hZ8n4cW1rJ9sLd3YfBpUe6GaKtRiOoNzE",
                 *       "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
                 *       "return_to": "https://shop.example.com/callback"
                 *     }
                 */
                "application/json": {
                    /** @description `code` from the query of the return address */
                    code: string;
                    /** @description the value whose SHA-256 hash was sent as code_challenge (RFC 7636) */
                    code_verifier: string;
                    /** @description the return address exactly as it was sent to /login */
                    return_to: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Redeemed"];
                };
            };
            400: components["responses"]["400.INVALID_CODE.VALIDATION_ERROR"];
            401: components["responses"]["401.BRIDGE_SECRET_REQUIRED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    signInWithToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only with X-Bridge-Secret: the IP address of the end user on whose behalf a back end calls. Used for rate limits, the audit log and emails. */
                "X-End-User-IP"?: string;
                /** @description Only with X-End-User-IP: the end user's user agent. */
                "X-End-User-Agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "identifier": "ada@example.com"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description an email address, or a phone number in international format
                     * @example ada@example.com
                     */
                    identifier?: string;
                    /**
                     * @description default: derived from the identifier; phone is the same as sms
                     * @enum {string}
                     */
                    type?: "email" | "sms" | "phone";
                    /**
                     * @description link target, if ALLOWED_REDIRECTS allows it
                     * @example https://app.example.com/welcome
                     */
                    redirect_url?: string;
                    /**
                     * @description token from the link
                     * @example x7Qm2vTqk0hZ8n4cW1rJ9sLd3YfBpUe6GaKtRiOoNzE
                     */
                    token?: string;
                    /**
                     * Format: uuid
                     * @description `token_id` from the response to the code request
                     * @example 01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf
                     */
                    token_id?: string;
                    /**
                     * @description six digits
                     * @example 271828
                     */
                    code?: string;
                    /** @description id of the page's sign-in flow */
                    form_token?: string;
                    /** @description IP address of the end user */
                    ip?: string;
                    /** @description user agent of the end user */
                    user_agent?: string;
                    /** @description device of the end user */
                    device_id?: string;
                };
            };
        };
        responses: {
            /** @description The session, or the available second factors if one is required. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        token_id: string;
                        method: "email" | "sms";
                        /** @description seconds */
                        expires_in: number;
                    } | components["schemas"]["TokenSignIn"];
                    "text/html": string;
                };
            };
            /** @description Response to a form of the service's own pages: redirects the browser to the front end. */
            303: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.INVALID_CODE.INVALID_TOKEN.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_CREDENTIALS.BRIDGE_SECRET_REQUIRED"];
            403: components["responses"]["403.ACCOUNT_BLOCKED.EMAIL_NOT_VERIFIED.REGISTRATION_REFUSED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    redeemTokenLinkForBridge: {
        parameters: {
            query?: {
                /**
                 * @description token from the link
                 * @example x7Qm2vTqk0hZ8n4cW1rJ9sLd3YfBpUe6GaKtRiOoNzE
                 */
                token?: string;
                /**
                 * @description `token_id` from the response to the code request
                 * @example 01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf
                 */
                token_id?: string;
                /**
                 * @description six digits
                 * @example 271828
                 */
                code?: string;
                /** @description IP address of the end user */
                ip?: string;
                /** @description user agent of the end user */
                user_agent?: string;
                /** @description device of the end user */
                device_id?: string;
            };
            header?: {
                /** @description Only with X-Bridge-Secret: the IP address of the end user on whose behalf a back end calls. Used for rate limits, the audit log and emails. */
                "X-End-User-IP"?: string;
                /** @description Only with X-End-User-IP: the end user's user agent. */
                "X-End-User-Agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenValidation"];
                };
            };
            400: components["responses"]["400.INVALID_CODE.INVALID_TOKEN.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_CREDENTIALS.BRIDGE_SECRET_REQUIRED"];
            403: components["responses"]["403.ACCOUNT_BLOCKED.EMAIL_NOT_VERIFIED.REGISTRATION_REFUSED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    redeemTokenForBridge: {
        parameters: {
            query?: {
                /**
                 * @description token from the link
                 * @example x7Qm2vTqk0hZ8n4cW1rJ9sLd3YfBpUe6GaKtRiOoNzE
                 */
                token?: string;
            };
            header?: {
                /** @description Only with X-Bridge-Secret: the IP address of the end user on whose behalf a back end calls. Used for rate limits, the audit log and emails. */
                "X-End-User-IP"?: string;
                /** @description Only with X-End-User-IP: the end user's user agent. */
                "X-End-User-Agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "token": "x7Qm2vTqk0hZ8n4cW1rJ9sLd3YfBpUe6GaKtRiOoNzE"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description token from the link
                     * @example x7Qm2vTqk0hZ8n4cW1rJ9sLd3YfBpUe6GaKtRiOoNzE
                     */
                    token?: string;
                    /**
                     * Format: uuid
                     * @description `token_id` from the response to the code request
                     * @example 01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf
                     */
                    token_id?: string;
                    /**
                     * @description six digits
                     * @example 271828
                     */
                    code?: string;
                    /** @description IP address of the end user */
                    ip?: string;
                    /** @description user agent of the end user */
                    user_agent?: string;
                    /** @description device of the end user */
                    device_id?: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenValidation"];
                };
            };
            400: components["responses"]["400.INVALID_CODE.INVALID_TOKEN.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_CREDENTIALS.BRIDGE_SECRET_REQUIRED"];
            403: components["responses"]["403.ACCOUNT_BLOCKED.EMAIL_NOT_VERIFIED.REGISTRATION_REFUSED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    resendVerification: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only with X-Bridge-Secret: the IP address of the end user on whose behalf a back end calls. Used for rate limits, the audit log and emails. */
                "X-End-User-IP"?: string;
                /** @description Only with X-End-User-IP: the end user's user agent. */
                "X-End-User-Agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com"
                 *     }
                 */
                "application/json": {
                    email?: string;
                    /** @description sign-in flow id; only for the service's own pages */
                    flow?: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.BRIDGE_SECRET_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.IMPERSONATED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    openVerificationLink: {
        parameters: {
            query: {
                /** @description token from the link */
                token: string;
                format?: "json";
                /** @description for the service's own pages */
                flow?: string;
            };
            header?: {
                /** @description Only with X-Bridge-Secret: the IP address of the end user on whose behalf a back end calls. Used for rate limits, the audit log and emails. */
                "X-End-User-IP"?: string;
                /** @description Only with X-End-User-IP: the end user's user agent. */
                "X-End-User-Agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailVerification"];
                    "text/html": string;
                };
            };
            400: components["responses"]["400.INVALID_CODE.INVALID_TOKEN.VALIDATION_ERROR"];
            401: components["responses"]["401.BRIDGE_SECRET_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.IMPERSONATED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    verifyEmail: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only with X-Bridge-Secret: the IP address of the end user on whose behalf a back end calls. Used for rate limits, the audit log and emails. */
                "X-End-User-IP"?: string;
                /** @description Only with X-End-User-IP: the end user's user agent. */
                "X-End-User-Agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "token": "x7Qm2vTqk0hZ8n4cW1rJ9sLd3YfBpUe6GaKtRiOoNzE"
                 *     }
                 */
                "application/json": {
                    /** @description token from the link */
                    token?: string;
                    /**
                     * @description email address the code was sent to
                     * @example ada@example.com
                     */
                    email?: string;
                    /**
                     * @description the six-digit code; requires email
                     * @example 271828
                     */
                    code?: string;
                    /**
                     * @description someone else created the account: all sessions end, and the password and all other sign-in methods are removed. The address is verified for its owner, who can sign in by email or reset the password
                     * @enum {string}
                     */
                    answer?: "not_me";
                    /** @description form token from the confirmation page */
                    form_token?: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Email verified",
                     *       "status": "verified",
                     *       "user": {
                     *         "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *         "email": "ada@example.com",
                     *         "is_verified": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EmailVerification"];
                    "text/html": string;
                };
            };
            400: components["responses"]["400.INVALID_CODE.INVALID_TOKEN.VALIDATION_ERROR"];
            401: components["responses"]["401.BRIDGE_SECRET_REQUIRED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only with X-Bridge-Secret: the IP address of the end user on whose behalf a back end calls. Used for rate limits, the audit log and emails. */
                "X-End-User-IP"?: string;
                /** @description Only with X-End-User-IP: the end user's user agent. */
                "X-End-User-Agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com"
                 *     }
                 */
                "application/json": {
                    /** @example ada@example.com */
                    email: string;
                    /**
                     * @description link target; ignored unless ALLOWED_REDIRECTS allows it
                     * @example myapp://reset
                     */
                    reset_url?: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.BRIDGE_SECRET_REQUIRED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    validatePasswordResetLink: {
        parameters: {
            query: {
                /** @description token from the link */
                token: string;
            };
            header?: {
                /** @description Only with X-Bridge-Secret: the IP address of the end user on whose behalf a back end calls. Used for rate limits, the audit log and emails. */
                "X-End-User-IP"?: string;
                /** @description Only with X-End-User-IP: the end user's user agent. */
                "X-End-User-Agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result of the check. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResetValidity"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.BRIDGE_SECRET_REQUIRED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    validatePasswordReset: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only with X-Bridge-Secret: the IP address of the end user on whose behalf a back end calls. Used for rate limits, the audit log and emails. */
                "X-End-User-IP"?: string;
                /** @description Only with X-End-User-IP: the end user's user agent. */
                "X-End-User-Agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "token": "x7Qm2vTqk0hZ8n4cW1rJ9sLd3YfBpUe6GaKtRiOoNzE"
                 *     }
                 */
                "application/json": {
                    /** @description token from the link */
                    token?: string;
                    /**
                     * @description email address the code was sent to
                     * @example ada@example.com
                     */
                    email?: string;
                    /**
                     * @description the six-digit code; requires email
                     * @example 271828
                     */
                    code?: string;
                };
            };
        };
        responses: {
            /** @description The result of the check. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResetValidity"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.BRIDGE_SECRET_REQUIRED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    completePasswordReset: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only with X-Bridge-Secret: the IP address of the end user on whose behalf a back end calls. Used for rate limits, the audit log and emails. */
                "X-End-User-IP"?: string;
                /** @description Only with X-End-User-IP: the end user's user agent. */
                "X-End-User-Agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "x7Qm2vTqk0hZ8n4cW1rJ9sLd3YfBpUe6GaKtRiOoNzE",
                 *       "password": "seven quiet river stones"
                 *     }
                 */
                "application/json": {
                    /** @description token from the link */
                    token?: string;
                    /**
                     * @description email address the code was sent to
                     * @example ada@example.com
                     */
                    email?: string;
                    /**
                     * @description the six-digit code; requires email
                     * @example 271828
                     */
                    code?: string;
                    /**
                     * @description 8 to 256 characters, not easy to guess; not trimmed
                     * @example seven quiet river stones
                     */
                    password: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description false until the second factor is verified */
                        success: boolean;
                        message: string;
                        user?: components["schemas"]["User"];
                        /** @description the session token: ses_ followed by 43 characters */
                        sessionId?: string;
                        /** @description the session token: ses_ followed by 43 characters */
                        session_id?: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC, with milliseconds
                         */
                        expiresAt?: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC, with milliseconds
                         */
                        expires_at?: string;
                        requires_2fa?: boolean;
                        available_methods?: components["schemas"]["SecondFactor"][];
                        verification_sent?: boolean;
                        /** @description seconds */
                        expires_in?: number;
                    };
                };
            };
            400: components["responses"]["400.INVALID_CODE.INVALID_TOKEN.WEAK_PASSWORD.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_CREDENTIALS.BRIDGE_SECRET_REQUIRED"];
            403: components["responses"]["403.ACCOUNT_BLOCKED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    checkPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "seven quiet river stones",
                 *       "email": "ada@example.com"
                 *     }
                 */
                "application/json": {
                    /** @example seven quiet river stones */
                    password: string;
                    /**
                     * @description email address of the user who is about to register; the password must not resemble it
                     * @example ada@example.com
                     */
                    email?: string;
                };
            };
        };
        responses: {
            /** @description The result of the check. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        accepted: boolean;
                        /**
                         * @description the rule that the password violates
                         * @enum {string|null}
                         */
                        rule: "short" | "long" | "unicode" | "spaces" | "context" | "common" | "breached" | "same" | null;
                        message: string;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            403: components["responses"]["403.CSRF_REJECTED.IMPERSONATED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "current_password": "seven quiet river stones",
                 *       "new_password": "moths around a quiet lamp"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description always checked if present, even after a recent sign-in
                     * @example seven quiet river stones
                     */
                    current_password?: string;
                    /**
                     * @description 8 to 256 characters, not easy to guess; not trimmed
                     * @example seven quiet river stones
                     */
                    new_password: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["400.INVALID_CURRENT_PASSWORD.WEAK_PASSWORD.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.IMPERSONATED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.ACCOUNT_LOCKED.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    reauthenticate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "password": "seven quiet river stones"
                 *     }
                 */
                "application/json": {
                    /** @example seven quiet river stones */
                    password?: string;
                    /** @description second-factor code */
                    code?: string;
                    method_id?: string;
                    /** @description passkey response */
                    response?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC, with milliseconds
                         */
                        valid_until: string;
                    };
                };
            };
            400: components["responses"]["400.INVALID_CODE.INVALID_CURRENT_PASSWORD.TWO_FACTOR_NO_METHOD.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.ACCOUNT_LOCKED.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    requestEmailChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "new_email": "ada@new.example.com",
                 *       "current_password": "seven quiet river stones"
                 *     }
                 */
                "application/json": {
                    /** @example ada@new.example.com */
                    new_email: string;
                    /**
                     * @description always checked if present, even after a recent sign-in
                     * @example seven quiet river stones
                     */
                    current_password?: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        email_change: components["schemas"]["PendingEmailChange"];
                    };
                };
            };
            400: components["responses"]["400.INVALID_CURRENT_PASSWORD.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.IMPERSONATED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.ACCOUNT_LOCKED.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    getEmailChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        email_change: {
                            status: "none" | "pending";
                            new_email: string | null;
                            confirmed: components["schemas"]["ConfirmedHalves"] | null;
                            expires_at: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    openEmailChangeLink: {
        parameters: {
            query: {
                /** @description token from the link */
                token: string;
                format?: "json";
                /** @description for the service's own pages */
                flow?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailChangeConfirmation"];
                    "text/html": string;
                };
            };
            400: components["responses"]["400.EMAIL_TAKEN.INVALID_TOKEN.VALIDATION_ERROR"];
            403: components["responses"]["403.ACCOUNT_BLOCKED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    confirmEmailChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "x7Qm2vTqk0hZ8n4cW1rJ9sLd3YfBpUe6GaKtRiOoNzE"
                 *     }
                 */
                "application/json": {
                    /** @description token from the link */
                    token: string;
                    /**
                     * @description only with the token from the email to the new address: its owner did not ask for the change, which is cancelled
                     * @enum {string}
                     */
                    answer?: "not_me";
                    /** @description form token from the confirmation page */
                    form_token?: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailChangeConfirmation"];
                    "text/html": string;
                };
            };
            400: components["responses"]["400.EMAIL_TAKEN.INVALID_TOKEN.VALIDATION_ERROR"];
            403: components["responses"]["403.ACCOUNT_BLOCKED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    openEmailChangeCancelLink: {
        parameters: {
            query: {
                /** @description token from the link */
                token: string;
                format?: "json";
                /** @description for the service's own pages */
                flow?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailChangeCancellation"];
                    "text/html": string;
                };
            };
            400: components["responses"]["400.INVALID_TOKEN.VALIDATION_ERROR"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    cancelEmailChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "token": "x7Qm2vTqk0hZ8n4cW1rJ9sLd3YfBpUe6GaKtRiOoNzE"
                 *     }
                 */
                "application/json": {
                    /** @description token from the link */
                    token?: string;
                    /** @description form token from the confirmation page */
                    form_token?: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailChangeCancellation"];
                    "text/html": string;
                };
            };
            400: components["responses"]["400.INVALID_TOKEN.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    getProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            user: components["schemas"]["User"];
                            /** @description international format, or empty */
                            phone: string;
                            /** @description null if none was chosen */
                            lang: string | null;
                            /** @description if false, the user sets a first password without `current_password` */
                            has_password: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    updateProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "display_name": "Countess Ada",
                 *       "tmz": "Europe/London"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description starts a change of the email address, which both inboxes must confirm; until then, the current address remains
                     * @example ada@new.example.com
                     */
                    email?: string;
                    /**
                     * @description always checked if present, even after a recent sign-in
                     * @example seven quiet river stones
                     */
                    current_password?: string;
                    /**
                     * @description first name; "" clears it
                     * @example Ada
                     */
                    name?: string;
                    /**
                     * @description last name; "" clears it
                     * @example Lovelace
                     */
                    last_name?: string;
                    /**
                     * @description 3 to 32 letters, digits, dots, hyphens or underscores; unique, ignoring case
                     * @example ada
                     */
                    user_name?: string;
                    /**
                     * @description international format, or the national format of DEFAULT_PHONE_REGION; unique. Users can sign in with the number if it was set within REAUTH_WINDOW of a sign-in or with `current_password`; "" clears it
                     * @example +447700900123
                     */
                    phone?: string;
                    /**
                     * @description an https URL; "" clears it
                     * @example https://example.com/ada.webp
                     */
                    picture?: string;
                    /**
                     * @description BCP 47 tag
                     * @example es-MX
                     */
                    lang?: string;
                    /**
                     * @description IANA time zone; "" clears it
                     * @example Europe/London
                     */
                    tmz?: string;
                    /**
                     * @description YYYY-MM-DD, from 1900-01-01 to today; "" clears it
                     * @example 1990-12-10
                     */
                    dob?: string;
                    /**
                     * @description shown to others instead of the name; "" clears it
                     * @example Countess Ada
                     */
                    display_name?: string;
                    /**
                     * @description any text; "" clears it
                     * @example female
                     */
                    gender?: string;
                    /**
                     * @description form of address; "" clears it
                     * @example Dr.
                     */
                    title?: string;
                    /**
                     * @description replaces the entire object; at most 16 kB as JSON; null clears it
                     * @example {
                     *       "theme": "dark"
                     *     }
                     */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                    /**
                     * @description only the value false has an effect
                     * @example false
                     */
                    first_time?: boolean;
                };
            };
        };
        responses: {
            /** @description The updated object. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        user: components["schemas"]["User"];
                        email_change?: components["schemas"]["PendingEmailChange"];
                        /** @description the profile members, both at the top level and in `user` */
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            id: string;
                            email: string;
                            name: string;
                            last_name: string;
                            user_name: string;
                            user_type: string;
                            /** @description URL, or empty */
                            picture: string;
                            is_verified: boolean;
                            two_factor: boolean;
                            lang: string;
                            metadata: {
                                [key: string]: unknown;
                            };
                            tmz: string | null;
                            dob: string | null;
                            display_name: string | null;
                            first_time: boolean;
                            gender: string | null;
                            title: string | null;
                            /** @description only with CLIENT_COMPAT */
                            phone?: string;
                            /** @description only with CLIENT_COMPAT */
                            userType?: string;
                            /** @description only with CLIENT_COMPAT */
                            userName?: string;
                            /** @description only with CLIENT_COMPAT */
                            lastName?: string;
                            /** @description only with CLIENT_COMPAT */
                            isVerified?: boolean;
                            /** @description only with CLIENT_COMPAT */
                            twoFactor?: boolean;
                            user: components["schemas"]["User"];
                            email_change?: components["schemas"]["PendingEmailChange"];
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            400: components["responses"]["400.INVALID_CURRENT_PASSWORD.PHONE_TAKEN.USER_NAME_TAKEN.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.IMPERSONATED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.ACCOUNT_LOCKED.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    exportUserData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, with milliseconds
                             */
                            generated_at: string;
                            user: components["schemas"]["ExportUserDataReplyDataUser"];
                            sessions: components["schemas"]["ExportUserDataReplyDataSessions"][];
                            social_accounts?: {
                                [key: string]: unknown;
                            }[];
                            audit: components["schemas"]["ExportUserDataReplyDataAudit"][];
                            two_factor_methods?: {
                                [key: string]: unknown;
                            }[];
                            privacy?: {
                                [key: string]: unknown;
                            };
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.IMPERSONATED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            sessions: {
                                /**
                                 * Format: uuid
                                 * @description opaque identifier
                                 */
                                id: string;
                                /** @description identifies the session; not part of the session token */
                                sessionPrefix: string;
                                ipAddress: string;
                                userAgent: string;
                                /** @description the `device_id` sent at sign-in, or else a description of the browser such as "Chrome on macOS" */
                                userDevice: string;
                                /** @description origin or app scheme of the application that the session was handed over to */
                                application: string | null;
                                /** @description for an application session: id of the session it was created from. When that session ends, so does this one */
                                parentId: string | null;
                                /** @description whether a superadmin is acting as the user in this session */
                                impersonated: boolean;
                                /**
                                 * Format: date-time
                                 * @description ISO 8601, UTC, with milliseconds
                                 */
                                lastUsedAt: string;
                                /**
                                 * Format: date-time
                                 * @description ISO 8601, UTC, with milliseconds
                                 */
                                createdAt: string;
                                /**
                                 * Format: date-time
                                 * @description ISO 8601, UTC, with milliseconds
                                 */
                                expiresAt: string;
                                /** @enum {string} */
                                status: "pending" | "active" | "revoked" | "expired";
                                /** @description whether this is the request's session */
                                current: boolean;
                            }[];
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "current_password": "seven quiet river stones"
                 *     }
                 */
                "application/json": components["schemas"]["EndOtherSessionsBody"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndOtherSessionsReply"];
                };
            };
            400: components["responses"]["400.INVALID_CURRENT_PASSWORD.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.IMPERSONATED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.ACCOUNT_LOCKED.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndOtherSessionsReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    uploadPicture: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    picture: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC, with milliseconds
                         */
                        timestamp: string;
                        user: components["schemas"]["User"];
                        data: {
                            /** @example https://auth.example.com/auth/pictures/5f0c….webp */
                            picture_url: string;
                            /** @example https://auth.example.com/auth/pictures/5f0c…-96.webp */
                            thumbnail_url: string;
                            /**
                             * @description size of the stored picture in bytes
                             * @example 80454
                             */
                            file_size: number;
                            /**
                             * @description size of the uploaded file in bytes
                             * @example 2605960
                             */
                            original_size: number;
                            /**
                             * @description size reduction in percent
                             * @example 97%
                             */
                            compression_ratio: string;
                            /** @description where the picture is stored */
                            method: "local" | "s3";
                            user: components["schemas"]["User"];
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.IMPERSONATED"];
            408: components["responses"]["408.VALIDATION_ERROR"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    deletePicture: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @description the user's members, both at the top level and in `user` */
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            id: string;
                            email: string;
                            name: string;
                            last_name: string;
                            user_name: string;
                            user_type: string;
                            /** @description URL, or empty */
                            picture: string;
                            is_verified: boolean;
                            two_factor: boolean;
                            lang: string;
                            metadata: {
                                [key: string]: unknown;
                            };
                            tmz: string | null;
                            dob: string | null;
                            display_name: string | null;
                            first_time: boolean;
                            gender: string | null;
                            title: string | null;
                            /** @description only with CLIENT_COMPAT */
                            phone?: string;
                            /** @description only with CLIENT_COMPAT */
                            userType?: string;
                            /** @description only with CLIENT_COMPAT */
                            userName?: string;
                            /** @description only with CLIENT_COMPAT */
                            lastName?: string;
                            /** @description only with CLIENT_COMPAT */
                            isVerified?: boolean;
                            /** @description only with CLIENT_COMPAT */
                            twoFactor?: boolean;
                            user: components["schemas"]["User"];
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.IMPERSONATED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    getPicture: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 7fJx2kQmZt9w.webp */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the picture */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            404: components["responses"]["404.NOT_FOUND"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    listProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** @description the configured providers */
                        providers: components["schemas"]["SocialProvider"][];
                        /** @description google, github, facebook, apple, discord and microsoft */
                        allProviders: components["schemas"]["SocialProvider"][];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            404: components["responses"]["404.NOT_FOUND"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    startSocialSignIn: {
        parameters: {
            query?: {
                format?: "json";
                link?: boolean;
                /** @description sign-in flow id */
                flow?: string;
                return_to?: string;
                state?: string;
                code_challenge?: string;
                code_challenge_method?: string;
                prompt?: string;
                max_age?: string;
                login_hint?: string;
                ui_locales?: string;
                screen?: string;
            };
            header?: never;
            path: {
                /**
                 * @description google, github, facebook, apple, discord, microsoft or oidc
                 * @example google
                 */
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SocialFlow"];
                    "text/html": string;
                };
            };
            /** @description The browser is redirected to the provider. */
            302: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.INVALID_CURRENT_PASSWORD.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            429: components["responses"]["429.ACCOUNT_LOCKED.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    linkProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description google, github, facebook, apple, discord, microsoft or oidc
                 * @example google
                 */
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "format": "json"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    format?: "json";
                    /**
                     * @description always checked if present, even after a recent sign-in
                     * @example seven quiet river stones
                     */
                    current_password?: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SocialFlow"];
                };
            };
            400: components["responses"]["400.INVALID_CURRENT_PASSWORD.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.ACCOUNT_LOCKED.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    completeSocialSignIn: {
        parameters: {
            query?: {
                /** @description from the provider */
                code?: string;
                /** @description from the provider */
                state?: string;
                /** @description error code from the provider, sent instead of `code` */
                error?: string;
                /** @description from the provider */
                iss?: string;
                format?: "json";
            };
            header?: never;
            path: {
                /**
                 * @description google, github, facebook, apple, discord, microsoft or oidc
                 * @example google
                 */
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SocialSignIn"];
                    "text/html": string;
                };
            };
            /** @description The browser is redirected to the front end with the result in the query. */
            302: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.ACCOUNT_EXISTS.INVALID_TOKEN.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_CREDENTIALS.INVALID_PROVIDER_TOKEN"];
            403: components["responses"]["403.ACCOUNT_BLOCKED.EMAIL_NOT_VERIFIED.REGISTRATION_DISABLED.REGISTRATION_REFUSED.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    signInWithProviderToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only with X-Bridge-Secret: the IP address of the end user on whose behalf a back end calls. Used for rate limits, the audit log and emails. */
                "X-End-User-IP"?: string;
                /** @description Only with X-End-User-IP: the end user's user agent. */
                "X-End-User-Agent"?: string;
            };
            path: {
                /**
                 * @description google, github, facebook, apple, discord, microsoft or oidc
                 * @example google
                 */
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "id_token": "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMDY5In0.c2lnbmF0dXJl"
                 *     }
                 */
                "application/json": {
                    /** @description ID token issued to this service or one of its apps */
                    id_token?: string;
                    /** @description access token issued to this service or one of its apps */
                    access_token?: string;
                    /** @description authorization code received by the app */
                    code?: string;
                    /** @description PKCE verifier from the authorization request */
                    code_verifier?: string;
                    /** @description redirect URI from the authorization request */
                    redirect_uri?: string;
                    /** @description required if the ID token contains a nonce */
                    nonce?: string;
                    /** @description device name chosen by the client */
                    device_id?: string;
                };
            };
        };
        responses: {
            /** @description The session, or the available second factors if one is required. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SocialSignIn"];
                };
            };
            400: components["responses"]["400.ACCOUNT_EXISTS.INVALID_TOKEN.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_CREDENTIALS.INVALID_PROVIDER_TOKEN.BRIDGE_SECRET_REQUIRED"];
            403: components["responses"]["403.ACCOUNT_BLOCKED.EMAIL_NOT_VERIFIED.REGISTRATION_DISABLED.REGISTRATION_REFUSED"];
            404: components["responses"]["404.NOT_FOUND"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    listLinkedProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        accounts: components["schemas"]["LinkedProvider"][];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    unlinkProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description google, github, facebook, apple, discord, microsoft or oidc
                 * @example google
                 */
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "current_password": "seven quiet river stones"
                 *     }
                 */
                "application/json": components["schemas"]["EndOtherSessionsBody"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["400.INVALID_CURRENT_PASSWORD.LAST_SIGN_IN_METHOD.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.ACCOUNT_LOCKED.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    setUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "x7Qm2vTqk0hZ8n4cW1rJ9sLd3YfBpUe6GaKtRiOoNzE",
                 *       "email": "root@example.com",
                 *       "password": "seven quiet river stones"
                 *     }
                 */
                "application/json": {
                    /** @description token from the setup link */
                    token: string;
                    email: string;
                    password: string;
                    name?: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignIn"];
                };
            };
            400: components["responses"]["400.EMAIL_TAKEN.INVALID_TOKEN.WEAK_PASSWORD.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_CREDENTIALS"];
            404: components["responses"]["404.NOT_FOUND"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    setUserPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user_id": "0198c1a2-3b4c-7d5e-8f60-718293a4b5c6",
                 *       "new_password": "four slow copper snails"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description id of another user
                     * @example 01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf
                     */
                    user_id: string;
                    /**
                     * @description 8 to 256 characters, not easy to guess; not trimmed
                     * @example seven quiet river stones
                     */
                    new_password: string;
                    /** @description whether the user is notified by email; default: true */
                    notify?: boolean;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["400.WEAK_PASSWORD.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.REAUTH_REQUIRED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    createImpersonation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "The user reports an empty page"
                 *     }
                 */
                "application/json": {
                    /** @description recorded in the audit log; not shown to the user */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description The created object. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Impersonation"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.ACCOUNT_BLOCKED.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    endImpersonation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        data: {
                            /** @description whether the session cookie was restored to the superadmin's own session */
                            restored: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION"];
            403: components["responses"]["403.CSRF_REJECTED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    changeUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "action": "block",
                 *       "ids": [
                 *         "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90"
                 *       ],
                 *       "reason": "Spam"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    action: "block" | "unblock" | "end_sessions" | "delete" | "restore" | "set_role";
                    /** @description user ids, without duplicates */
                    ids: string[];
                    /** @description required for block */
                    reason?: string;
                    /**
                     * Format: date-time
                     * @description for block; default: no end
                     */
                    until?: string;
                    /** @description required for set_role */
                    user_type?: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            results: components["schemas"]["BulkResult"][];
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    exportUsers: {
        parameters: {
            query?: {
                /**
                 * @description part of an email address, a full name, a display name or a user name; case-insensitive, without wildcards
                 * @example lovelace
                 */
                q?: string;
                /**
                 * @description part of the email address; case-insensitive, without wildcards
                 * @example example.com
                 */
                email?: string;
                /**
                 * @description part of the first name, the last name or both with a space between them; case-insensitive, without wildcards
                 * @example Ada
                 */
                name?: string;
                /**
                 * @description part of the user name; case-insensitive, without wildcards
                 * @example ada
                 */
                user_name?: string;
                /**
                 * @description users with this role
                 * @example customer
                 */
                user_type?: string;
                /**
                 * @description id of a user, or up to 100 ids separated by commas
                 * @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90
                 */
                id?: string;
                /**
                 * @description id of the user in the system from which the user was imported
                 * @example auth0|5f7c8ec7c33c
                 */
                external_id?: string;
                /**
                 * @description start of the phone number including the country code, or its end; spaces and punctuation are ignored
                 * @example 900123
                 */
                phone?: string;
                /** @description whether the email address is verified */
                verified?: boolean;
                /** @description whether the user is currently blocked */
                blocked?: boolean;
                /** @description true: only deleted users whose data has not been erased; false (default): no deleted users */
                deleted?: boolean;
                /** @description users with a linked account from this provider */
                provider?: "google" | "github" | "facebook" | "apple" | "discord" | "microsoft" | "oidc";
                /**
                 * @description only users created at or after this time; ISO 8601
                 * @example 2026-11-20T17:48:31.705Z
                 */
                created_from?: string;
                /**
                 * @description only users created before this time; ISO 8601
                 * @example 2026-11-20T17:48:31.705Z
                 */
                created_to?: string;
                /**
                 * @description only users with a session used at or after this time; ISO 8601
                 * @example 2026-11-20T17:48:31.705Z
                 */
                last_seen_from?: string;
                /**
                 * @description only users without a session used at or after this time; ISO 8601
                 * @example 2026-11-20T17:48:31.705Z
                 */
                last_seen_to?: string;
                /** @description whether the user has set up a second factor; requires the two-factor module */
                second_factor?: boolean;
                /** @description requires the privacy module */
                privacy_region?: "eu" | "ca" | "eu_ca" | "global";
                /** @description requires the onboarding module */
                is_business?: boolean;
                /**
                 * @description ISO alpha-2; requires the onboarding module
                 * @example DE
                 */
                biz_country?: string;
                /** @description default: csv */
                format?: "csv" | "json";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The users, as a file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            users: components["schemas"]["AdminUser"][];
                        };
                    };
                };
            };
            400: components["responses"]["400.module_not_installed.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    exportAuditEvents: {
        parameters: {
            query?: {
                /** @example login_fail */
                event?: string;
                /** @description user who caused the event, was affected by it, or acted as the user who caused it */
                user_id?: string;
                /** @description user who caused the event */
                actor_id?: string;
                /** @description user who was affected by the event */
                target_id?: string;
                /** @example failure */
                outcome?: "success" | "failure";
                /**
                 * @description only events at or after this time; ISO 8601
                 * @example 2026-11-20T17:48:31.705Z
                 */
                time_from?: string;
                /**
                 * @description only events before this time; ISO 8601
                 * @example 2026-11-20T17:48:31.705Z
                 */
                time_to?: string;
                /** @description default: csv */
                format?: "csv" | "json";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, as a file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            events: components["schemas"]["AuditEvent"][];
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    getOverview: {
        parameters: {
            query?: {
                /**
                 * @description 24 hours, 30 days or 12 months; default: 30d
                 * @example 24h
                 */
                range?: "24h" | "30d" | "12m";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            people: number;
                            live_sessions: number | null;
                            second_factor_people: number | null;
                            /** Format: date-time */
                            measured_at: string | null;
                            waiting_messages: number;
                            /** Format: date-time */
                            counted_at: string | null;
                            /** @enum {string} */
                            unit: "hour" | "day" | "month";
                            /** @description oldest first */
                            periods: components["schemas"]["ActivityPeriod"][];
                            attention: components["schemas"]["Attention"][];
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    listLockouts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            lockouts: components["schemas"]["Lockout"][];
                            throttled: components["schemas"]["ThrottledAccount"][];
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    unlockUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    listBridgeSecrets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            secrets: components["schemas"]["BridgeSecretUse"][];
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    getSecurityFigures: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** Format: date-time */
                            measured_at: string | null;
                            /** @description one entry for each age, newest first */
                            sessions: components["schemas"]["LiveSessions"][];
                            refusals: components["schemas"]["LimitRefusals"][];
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    searchUsers: {
        parameters: {
            query?: {
                /**
                 * @description part of an email address, a full name, a display name or a user name; case-insensitive, without wildcards
                 * @example lovelace
                 */
                q?: string;
                /**
                 * @description part of the email address; case-insensitive, without wildcards
                 * @example example.com
                 */
                email?: string;
                /**
                 * @description part of the first name, the last name or both with a space between them; case-insensitive, without wildcards
                 * @example Ada
                 */
                name?: string;
                /**
                 * @description part of the user name; case-insensitive, without wildcards
                 * @example ada
                 */
                user_name?: string;
                /**
                 * @description users with this role
                 * @example customer
                 */
                user_type?: string;
                /**
                 * @description id of a user, or up to 100 ids separated by commas
                 * @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90
                 */
                id?: string;
                /**
                 * @description id of the user in the system from which the user was imported
                 * @example auth0|5f7c8ec7c33c
                 */
                external_id?: string;
                /**
                 * @description start of the phone number including the country code, or its end; spaces and punctuation are ignored
                 * @example 900123
                 */
                phone?: string;
                /** @description whether the email address is verified */
                verified?: boolean;
                /** @description whether the user is currently blocked */
                blocked?: boolean;
                /** @description true: only deleted users whose data has not been erased; false (default): no deleted users */
                deleted?: boolean;
                /** @description users with a linked account from this provider */
                provider?: "google" | "github" | "facebook" | "apple" | "discord" | "microsoft" | "oidc";
                /**
                 * @description only users created at or after this time; ISO 8601
                 * @example 2026-11-20T17:48:31.705Z
                 */
                created_from?: string;
                /**
                 * @description only users created before this time; ISO 8601
                 * @example 2026-11-20T17:48:31.705Z
                 */
                created_to?: string;
                /**
                 * @description only users with a session used at or after this time; ISO 8601
                 * @example 2026-11-20T17:48:31.705Z
                 */
                last_seen_from?: string;
                /**
                 * @description only users without a session used at or after this time; ISO 8601
                 * @example 2026-11-20T17:48:31.705Z
                 */
                last_seen_to?: string;
                /** @description whether the user has set up a second factor; requires the two-factor module */
                second_factor?: boolean;
                /** @description requires the privacy module */
                privacy_region?: "eu" | "ca" | "eu_ca" | "global";
                /** @description requires the onboarding module */
                is_business?: boolean;
                /**
                 * @description ISO alpha-2; requires the onboarding module
                 * @example DE
                 */
                biz_country?: string;
                /**
                 * @description stops counting at this number, which speeds up searches with many matches; `total` is then this number, and `total_is_exact` is false; default: all are counted
                 * @example 1000
                 */
                count_limit?: number;
                /** @description a minus sign reverses the order; default: -created_at */
                sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "email" | "-email" | "name" | "-name" | "user_name" | "-user_name" | "user_type" | "-user_type";
                /**
                 * @deprecated
                 * @description use `sort`
                 */
                order_by?: "created_at" | "updated_at" | "email" | "name" | "user_name" | "user_type";
                /**
                 * @deprecated
                 * @description use `sort`
                 */
                order_dir?: "asc" | "desc";
                /** @description default: 1 */
                page?: number;
                /** @description default: 10; values above 100 are treated as 100 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of results. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "users": [
                     *           {
                     *             "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *             "email": "ada@example.com",
                     *             "name": "Ada",
                     *             "last_name": "Lovelace",
                     *             "user_name": "ada",
                     *             "user_type": "customer",
                     *             "picture": "",
                     *             "is_verified": true,
                     *             "two_factor": false,
                     *             "phone": "",
                     *             "created_at": "2026-11-20T17:48:31.705Z",
                     *             "updated_at": "2026-11-20T17:48:31.705Z",
                     *             "first_time": true,
                     *             "title": "",
                     *             "blocked": null
                     *           }
                     *         ],
                     *         "pagination": {
                     *           "page": 1,
                     *           "limit": 10,
                     *           "total": 1,
                     *           "pages": 1,
                     *           "has_more": false
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["UserSearchReply"];
                };
            };
            400: components["responses"]["400.module_not_installed.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    searchUsersDeprecated: {
        parameters: {
            query?: {
                /**
                 * @description part of an email address, a full name, a display name or a user name; case-insensitive, without wildcards
                 * @example lovelace
                 */
                q?: string;
                /**
                 * @description part of the email address; case-insensitive, without wildcards
                 * @example example.com
                 */
                email?: string;
                /**
                 * @description part of the first name, the last name or both with a space between them; case-insensitive, without wildcards
                 * @example Ada
                 */
                name?: string;
                /**
                 * @description part of the user name; case-insensitive, without wildcards
                 * @example ada
                 */
                user_name?: string;
                /**
                 * @description users with this role
                 * @example customer
                 */
                user_type?: string;
                /**
                 * @description id of a user, or up to 100 ids separated by commas
                 * @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90
                 */
                id?: string;
                /**
                 * @description id of the user in the system from which the user was imported
                 * @example auth0|5f7c8ec7c33c
                 */
                external_id?: string;
                /**
                 * @description start of the phone number including the country code, or its end; spaces and punctuation are ignored
                 * @example 900123
                 */
                phone?: string;
                /** @description whether the email address is verified */
                verified?: boolean;
                /** @description whether the user is currently blocked */
                blocked?: boolean;
                /** @description true: only deleted users whose data has not been erased; false (default): no deleted users */
                deleted?: boolean;
                /** @description users with a linked account from this provider */
                provider?: "google" | "github" | "facebook" | "apple" | "discord" | "microsoft" | "oidc";
                /**
                 * @description only users created at or after this time; ISO 8601
                 * @example 2026-11-20T17:48:31.705Z
                 */
                created_from?: string;
                /**
                 * @description only users created before this time; ISO 8601
                 * @example 2026-11-20T17:48:31.705Z
                 */
                created_to?: string;
                /**
                 * @description only users with a session used at or after this time; ISO 8601
                 * @example 2026-11-20T17:48:31.705Z
                 */
                last_seen_from?: string;
                /**
                 * @description only users without a session used at or after this time; ISO 8601
                 * @example 2026-11-20T17:48:31.705Z
                 */
                last_seen_to?: string;
                /** @description whether the user has set up a second factor; requires the two-factor module */
                second_factor?: boolean;
                /** @description requires the privacy module */
                privacy_region?: "eu" | "ca" | "eu_ca" | "global";
                /** @description requires the onboarding module */
                is_business?: boolean;
                /**
                 * @description ISO alpha-2; requires the onboarding module
                 * @example DE
                 */
                biz_country?: string;
                /**
                 * @description stops counting at this number, which speeds up searches with many matches; `total` is then this number, and `total_is_exact` is false; default: all are counted
                 * @example 1000
                 */
                count_limit?: number;
                /** @description a minus sign reverses the order; default: -created_at */
                sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "email" | "-email" | "name" | "-name" | "user_name" | "-user_name" | "user_type" | "-user_type";
                /**
                 * @deprecated
                 * @description use `sort`
                 */
                order_by?: "created_at" | "updated_at" | "email" | "name" | "user_name" | "user_type";
                /**
                 * @deprecated
                 * @description use `sort`
                 */
                order_dir?: "asc" | "desc";
                /** @description default: 1 */
                page?: number;
                /** @description default: 10; values above 100 are treated as 100 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of results. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Deprecation: components["headers"]["Deprecation"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserSearchReply"];
                };
            };
            400: components["responses"]["400.module_not_installed.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "name": "Ada",
                 *       "send_invite": true
                 *     }
                 */
                "application/json": {
                    /** @example ada@example.com */
                    email: string;
                    /** @description required unless send_invite is true */
                    password?: string;
                    /**
                     * @description emails the user a link to set a password
                     * @example true
                     */
                    send_invite?: boolean;
                    /**
                     * @description first name
                     * @example Ada
                     */
                    name?: string;
                    /**
                     * @description last name
                     * @example Lovelace
                     */
                    last_name?: string;
                    /**
                     * @description 3 to 32 letters, digits, dots, hyphens or underscores
                     * @example ada
                     */
                    user_name?: string;
                    /**
                     * @description international format, or the national format of DEFAULT_PHONE_REGION
                     * @example +447700900123
                     */
                    phone?: string;
                    /**
                     * @description form of address
                     * @example Dr.
                     */
                    title?: string;
                    /**
                     * @description superadmin, admin, support, customer, writer or one of USER_TYPES
                     * @example writer
                     */
                    user_type?: string;
                    /**
                     * @description BCP 47 tag of the language for emails; default: DEFAULT_LANG
                     * @example es-MX
                     */
                    lang?: string;
                    /**
                     * @description default: true; with send_invite, false until the invitation is opened
                     * @example true
                     */
                    is_verified?: boolean;
                };
            };
        };
        responses: {
            /** @description The created object. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "user": {
                     *           "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *           "email": "ada@example.com",
                     *           "name": "Ada",
                     *           "last_name": "Lovelace",
                     *           "user_name": "ada",
                     *           "user_type": "customer",
                     *           "picture": "",
                     *           "is_verified": true,
                     *           "two_factor": false,
                     *           "phone": "",
                     *           "created_at": "2026-11-20T17:48:31.705Z",
                     *           "updated_at": "2026-11-20T17:48:31.705Z",
                     *           "first_time": true,
                     *           "title": "",
                     *           "blocked": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["UserReply"];
                };
            };
            400: components["responses"]["400.EMAIL_TAKEN.PHONE_TAKEN.USER_NAME_TAKEN.WEAK_PASSWORD.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.REAUTH_REQUIRED.IMPERSONATED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "user": {
                     *           "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *           "email": "ada@example.com",
                     *           "name": "Ada",
                     *           "last_name": "Lovelace",
                     *           "user_name": "ada",
                     *           "user_type": "customer",
                     *           "picture": "",
                     *           "is_verified": true,
                     *           "two_factor": false,
                     *           "phone": "",
                     *           "created_at": "2026-11-20T17:48:31.705Z",
                     *           "updated_at": "2026-11-20T17:48:31.705Z",
                     *           "first_time": true,
                     *           "title": "",
                     *           "blocked": null
                     *         },
                     *         "sessions": [
                     *           {
                     *             "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *             "sessionPrefix": "9f86d081",
                     *             "ipAddress": "203.0.113.7",
                     *             "userAgent": "Mozilla/5.0",
                     *             "userDevice": "Chrome on macOS",
                     *             "application": null,
                     *             "parentId": null,
                     *             "impersonated": false,
                     *             "lastUsedAt": "2026-11-20T17:48:31.705Z",
                     *             "createdAt": "2026-11-20T17:48:31.705Z",
                     *             "expiresAt": "2026-11-27T17:48:31.705Z",
                     *             "status": "active"
                     *           }
                     *         ],
                     *         "sessionCount": 1,
                     *         "has_password": true,
                     *         "identities": [],
                     *         "profile": {
                     *           "display_name": null,
                     *           "lang": "en",
                     *           "tmz": null,
                     *           "metadata": {}
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** @description contains additional members if modules are installed */
                        data: {
                            user: components["schemas"]["AdminUser"];
                            sessions: {
                                /**
                                 * Format: uuid
                                 * @description opaque identifier
                                 */
                                id: string;
                                /** @description identifies the session; not part of the session token */
                                sessionPrefix: string;
                                ipAddress: string;
                                userAgent: string;
                                /** @description the `device_id` sent at sign-in, or else a description of the browser such as "Chrome on macOS" */
                                userDevice: string;
                                /** @description origin or app scheme of the application that the session was handed over to */
                                application: string | null;
                                /** @description for an application session: id of the session it was created from. When that session ends, so does this one */
                                parentId: string | null;
                                /** @description whether a superadmin is acting as the user in this session */
                                impersonated: boolean;
                                /**
                                 * Format: date-time
                                 * @description ISO 8601, UTC, with milliseconds
                                 */
                                lastUsedAt: string;
                                /**
                                 * Format: date-time
                                 * @description ISO 8601, UTC, with milliseconds
                                 */
                                createdAt: string;
                                /**
                                 * Format: date-time
                                 * @description ISO 8601, UTC, with milliseconds
                                 */
                                expiresAt: string;
                                /** @enum {string} */
                                status: "pending" | "active" | "revoked" | "expired";
                            }[];
                            sessionCount: number;
                            has_password: boolean;
                            identities: components["schemas"]["LinkedProvider"][];
                            profile: {
                                display_name: string | null;
                                lang: string;
                                tmz: string | null;
                                metadata: {
                                    [key: string]: unknown;
                                };
                            };
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "last_name": "Lovelace",
                 *       "user_type": "writer"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description first name
                     * @example Ada
                     */
                    name?: string;
                    /**
                     * @description last name
                     * @example Lovelace
                     */
                    last_name?: string;
                    /**
                     * @description 3 to 32 letters, digits, dots, hyphens or underscores
                     * @example ada
                     */
                    user_name?: string;
                    /**
                     * @description international format, or the national format of DEFAULT_PHONE_REGION
                     * @example +447700900123
                     */
                    phone?: string;
                    /**
                     * @description form of address
                     * @example Dr.
                     */
                    title?: string;
                    /**
                     * @description superadmin, admin, support, customer, writer or one of USER_TYPES
                     * @example writer
                     */
                    user_type?: string;
                    /** @description only the current email address is accepted; other values are rejected */
                    email?: string;
                    /** @example true */
                    is_verified?: boolean;
                    /**
                     * @description whether a second factor is required; enrolled methods are kept
                     * @example false
                     */
                    two_factor?: boolean;
                    /**
                     * @description `updated_at` from the response you read; the request is rejected if the user has changed since
                     * @example 2026-11-20T17:48:31.705Z
                     */
                    expected_updated_at?: string;
                };
            };
        };
        responses: {
            /** @description The updated object. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserReply"];
                };
            };
            400: components["responses"]["400.PHONE_TAKEN.USER_NAME_TAKEN.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.LAST_SUPERADMIN.CSRF_REJECTED.FORBIDDEN.REAUTH_REQUIRED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            409: components["responses"]["409.EDIT_CONFLICT"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.LAST_SUPERADMIN.CSRF_REJECTED.FORBIDDEN.REAUTH_REQUIRED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    restoreUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.REAUTH_REQUIRED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    blockUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "Spam",
                 *       "until": "2030-01-01T00:00:00Z"
                 *     }
                 */
                "application/json": {
                    /** @description shown only to administrators */
                    reason: string;
                    /**
                     * Format: date-time
                     * @description end of the block, at most ten years away; default: no end
                     */
                    until?: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.LAST_SUPERADMIN.CSRF_REJECTED.FORBIDDEN.REAUTH_REQUIRED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    unblockUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.REAUTH_REQUIRED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    sendUserMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "message": "password_reset"
                 *     }
                 */
                "application/json": {
                    /**
                     * @example password_reset
                     * @enum {string}
                     */
                    message: "password_reset" | "sign_in_link" | "verification" | "invitation";
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.REAUTH_REQUIRED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    startUserEmailChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "new_email": "ada@new.example.com"
                 *     }
                 */
                "application/json": {
                    /** @example ada@example.com */
                    new_email: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.REAUTH_REQUIRED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    endUserSessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndOtherSessionsReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.REAUTH_REQUIRED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    endUserSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                user_id: string;
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndOtherSessionsReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.REAUTH_REQUIRED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                /** @example login_fail */
                event?: string;
                /** @description user who caused the event, was affected by it, or acted as the user who caused it */
                user_id?: string;
                /** @description user who caused the event */
                actor_id?: string;
                /** @description user who was affected by the event */
                target_id?: string;
                /** @example failure */
                outcome?: "success" | "failure";
                /**
                 * @description only events at or after this time; ISO 8601
                 * @example 2026-11-20T17:48:31.705Z
                 */
                time_from?: string;
                /**
                 * @description only events before this time; ISO 8601
                 * @example 2026-11-20T17:48:31.705Z
                 */
                time_to?: string;
                /** @description default: 1 */
                page?: number;
                /** @description default: 10; values above 100 are treated as 100 */
                limit?: number;
                /**
                 * @description stops counting at this number, which speeds up searches with many matches; a `total` of this number means this many or more
                 * @example 1000
                 */
                count_limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            events: components["schemas"]["AuditEvent"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    getAuditSeals: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @enum {string} */
                            state: "verified" | "broken" | "incomplete" | "none";
                            newest: components["schemas"]["AuditSeal"] | null;
                            /** @description age of the newest seal in seconds */
                            age_seconds: number | null;
                            /** Format: date-time */
                            oldest_unsealed_at: string | null;
                            /** @description number of events older than an hour without a seal */
                            unsealed_over_an_hour: number;
                            checked_seals: number;
                            /** @description seals whose events were also checked */
                            checked_with_events: number;
                            /** @description seals whose key is no longer configured */
                            without_key: number;
                            broken: components["schemas"]["BrokenSeal"][];
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description cursor; default: start with the oldest event */
                after?: string;
                /** @description default: 100; values above 1000 are treated as 1000 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            events: components["schemas"]["Event"][];
                            /**
                             * @description the cursor after the last of these events
                             * @example 4711
                             */
                            next: string;
                            /** @description whether more events can be read immediately */
                            has_more: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            410: components["responses"]["410.EVENTS_EXPIRED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "webhooks": [
                     *           {
                     *             "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *             "url": "https://api.example.com/webhooks/wardenry",
                     *             "description": "",
                     *             "events": [
                     *               "user.*",
                     *               "session.ended"
                     *             ],
                     *             "enabled": true,
                     *             "disabled_reason": null,
                     *             "headers": [],
                     *             "has_former_secret": false,
                     *             "created_at": "2026-11-20T17:48:31.705Z",
                     *             "updated_at": "2026-11-20T17:48:31.705Z",
                     *             "failing_since": null,
                     *             "paused_until": null,
                     *             "waiting": 0,
                     *             "failed": 0
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            webhooks: components["schemas"]["Webhook"][];
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://api.example.com/webhooks/wardenry",
                 *       "events": [
                 *         "user.*",
                 *         "session.ended"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @example https://api.example.com/webhooks/wardenry */
                    url: string;
                    /**
                     * @description types of events, groups such as `user.*`, or `*` for all events
                     * @example [
                     *       "user.*",
                     *       "session.ended"
                     *     ]
                     */
                    events: string[];
                    /** @description at most 200 characters */
                    description?: string;
                    /** @description default: true */
                    enabled?: boolean;
                    /** @description headers that are added to every request; their values cannot be read again */
                    headers?: components["schemas"]["CreateWebhookBodyHeaders"][];
                };
            };
        };
        responses: {
            /** @description The created object. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "webhook": {
                     *           "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *           "url": "https://api.example.com/webhooks/wardenry",
                     *           "description": "",
                     *           "events": [
                     *             "user.*",
                     *             "session.ended"
                     *           ],
                     *           "enabled": true,
                     *           "disabled_reason": null,
                     *           "headers": [],
                     *           "has_former_secret": false,
                     *           "created_at": "2026-11-20T17:48:31.705Z",
                     *           "updated_at": "2026-11-20T17:48:31.705Z",
                     *           "failing_since": null,
                     *           "paused_until": null,
                     *           "waiting": 0,
                     *           "failed": 0
                     *         },
                     *         "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            webhook: components["schemas"]["Webhook"];
                            /**
                             * @description the signing secret, which cannot be read again
                             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
                             */
                            secret: string;
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetWebhookReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "enabled": false
                 *     }
                 */
                "application/json": {
                    /** @example https://api.example.com/webhooks/wardenry */
                    url?: string;
                    /**
                     * @description types of events, groups such as `user.*`, or `*` for all events
                     * @example [
                     *       "user.*",
                     *       "session.ended"
                     *     ]
                     */
                    events?: string[];
                    /** @description at most 200 characters */
                    description?: string;
                    /** @description default: true */
                    enabled?: boolean;
                    /** @description headers that are added to every request; their values cannot be read again */
                    headers?: components["schemas"]["CreateWebhookBodyHeaders"][];
                };
            };
        };
        responses: {
            /** @description The updated object. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetWebhookReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /**
                             * @description the signing secret, which cannot be read again
                             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
                             */
                            secret: string;
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    sendTestEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    replayDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "failed": true
                 *     }
                 */
                "application/json": {
                    /** @example 01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf */
                    delivery_id?: string;
                    failed?: boolean;
                    /** @example 2026-11-20T17:00:00Z */
                    from?: string;
                    /** @description default: now */
                    to?: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description number of deliveries */
                            replayed: number;
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                status?: "waiting" | "delivered" | "failed";
                /** @description default: 1 */
                page?: number;
                /** @description default: 10; values above 100 are treated as 100 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @example 01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            deliveries: {
                                /**
                                 * Format: uuid
                                 * @description opaque identifier
                                 */
                                id: string;
                                /** @enum {string} */
                                status: "waiting" | "delivered" | "failed";
                                /** @description attempts since the creation or the last replay */
                                attempts: number;
                                /**
                                 * Format: date-time
                                 * @description ISO 8601, UTC, with milliseconds
                                 */
                                created_at: string;
                                /** Format: date-time */
                                next_attempt_at: string | null;
                                /** Format: date-time */
                                done_at: string | null;
                                /**
                                 * Format: uuid
                                 * @description opaque identifier
                                 */
                                event_id: string;
                                type: string;
                                /** @description HTTP status of the response; null without a response */
                                last_status: number | null;
                                last_error: string | null;
                            }[];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf */
                webhook_id: string;
                /** @example 01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            id: string;
                            /** @enum {string} */
                            status: "waiting" | "delivered" | "failed";
                            /** @description attempts since the creation or the last replay */
                            attempts: number;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, with milliseconds
                             */
                            created_at: string;
                            /** Format: date-time */
                            next_attempt_at: string | null;
                            /** Format: date-time */
                            done_at: string | null;
                            event: components["schemas"]["Event"];
                            log: {
                                /**
                                 * Format: date-time
                                 * @description ISO 8601, UTC, with milliseconds
                                 */
                                started_at: string;
                                duration_ms: number;
                                /** @description HTTP status of the response; null without a response */
                                status: number | null;
                                error: string | null;
                                /** @description the first 1,024 bytes of the response body */
                                response: string | null;
                            }[];
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    listMessages: {
        parameters: {
            query?: {
                state?: "queued" | "sending" | "sent" | "failed" | "dropped";
                /** @description `task`: a job that creates a message */
                channel?: "mail" | "sms" | "task";
                /** @example password_reset */
                message?: string;
                /** @description default: 1 */
                page?: number;
                /** @description default: 10; values above 100 are treated as 100 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            messages: components["schemas"]["OutboxMessage"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    retryMessages: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "message": "password_reset"
                 *     }
                 */
                "application/json": {
                    ids?: string[];
                    /** @example password_reset */
                    message?: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            ids: string[];
                            retried: number;
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    retryMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                message_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            409: components["responses"]["409.MESSAGE_NOT_RETRYABLE"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    listMessageTemplates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            languages: string[];
                            messages: {
                                name: string;
                                /** @enum {string} */
                                channel: "mail" | "sms";
                                customizable: boolean;
                                templates: {
                                    language: string;
                                    /**
                                     * @description `broken`: the stored template cannot be used, so the built-in message is sent
                                     * @enum {string}
                                     */
                                    state: "built_in" | "custom" | "broken";
                                    /** @description 0 if no template is stored */
                                    version: number;
                                    /** Format: date-time */
                                    changed_at: string | null;
                                    /** @description name or email address of the user who changed the template; null for erased users */
                                    changed_by: string | null;
                                }[];
                            }[];
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    getMessageTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example password_reset */
                name: string;
                /** @example en */
                lang: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetMessageTemplateReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    updateMessageTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example password_reset */
                name: string;
                /** @example en */
                lang: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "version": 0,
                 *       "subject": "Confirm your address",
                 *       "text": "Please confirm:\n{{url}}"
                 *     }
                 */
                "application/json": {
                    /** @description 0 if no template is stored */
                    version: number;
                    subject: string;
                    /** @description at most 5000 characters */
                    text: string;
                    /** @description default: generated from the text */
                    html?: string | null;
                };
            };
        };
        responses: {
            /** @description The updated object. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetMessageTemplateReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            409: components["responses"]["409.EDIT_CONFLICT"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    resetMessageTemplate: {
        parameters: {
            query: {
                /** @description 0 if no template is stored */
                version: number;
            };
            header?: never;
            path: {
                /** @example password_reset */
                name: string;
                /** @example en */
                lang: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetMessageTemplateReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            409: components["responses"]["409.EDIT_CONFLICT"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    listMessageTemplateVersions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example password_reset */
                name: string;
                /** @example en */
                lang: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            versions: {
                                version: number;
                                /** @description whether this version restored the built-in message */
                                built_in: boolean;
                                /** Format: date-time */
                                changed_at: string;
                                /** @description name or email address of the user who changed the template; null for erased users */
                                changed_by: string | null;
                            }[];
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    getMessageTemplateVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example password_reset */
                name: string;
                /** @example en */
                lang: string;
                /** @example 1 */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["MessageSource"];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    previewMessageTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example password_reset */
                name: string;
                /** @example en */
                lang: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "subject": "Confirm your address",
                 *       "text": "Please confirm:\n{{url}}",
                 *       "theme": "dark"
                 *     }
                 */
                "application/json": {
                    subject?: string;
                    /** @description at most 5000 characters */
                    text?: string;
                    /** @description default: generated from the text */
                    html?: string | null;
                    /**
                     * @description default: the colour scheme of the program displaying the HTML
                     * @enum {string}
                     */
                    theme?: "light" | "dark";
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["RenderedMessage"];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    sendTestMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example password_reset */
                name: string;
                /** @example en */
                lang: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "subject": "Confirm your address",
                 *       "text": "Please confirm:\n{{url}}"
                 *     }
                 */
                "application/json": {
                    subject?: string;
                    /** @description at most 5000 characters */
                    text?: string;
                    /** @description default: generated from the text */
                    html?: string | null;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.EMAIL_NOT_VERIFIED.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.UNAVAILABLE"];
        };
    };
    listSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description incremented whenever settings change */
                            version: number;
                            settings: components["schemas"]["Setting"][];
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    updateSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "changes": [
                 *         {
                 *           "name": "APP_NAME",
                 *           "value": "Example"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    changes: {
                        /** @example APP_NAME */
                        name: string;
                        /**
                         * @description a value in the format of the environment variable, or a base64 data URL for a picture; null resets the setting
                         * @example Example
                         */
                        value: string | null;
                    }[];
                    /** @description `version` from GET /auth/admin/settings; if the settings have changed since, the request is rejected with EDIT_CONFLICT */
                    version?: number;
                };
            };
        };
        responses: {
            /** @description The updated object. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            changed: string[];
                            version: number;
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            409: components["responses"]["409.EDIT_CONFLICT"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    listModules: {
        parameters: {
            query?: {
                /** @description default: service-core */
                runtime_scope?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            module_id: string;
                            name: string;
                            description: string;
                            module_description: string;
                            module_version: string;
                            runtime_scope: string;
                            runtime_scopes: string[];
                            depends_on: string[];
                            /** @enum {unknown} */
                            status: "not_installed" | "drift" | "partial" | "update_available" | "installed";
                            /** @description whether the settings enable the module */
                            enabled: boolean;
                            /** @description names of the settings that must be true to enable the module */
                            switches: string[];
                            missing_dependencies: string[];
                            components: {
                                component_id: string;
                                /** @enum {unknown} */
                                component_type: "core" | "extension";
                                description: string;
                                expected_version: string;
                                installed_version: string | null;
                                installed: boolean;
                                /** @enum {unknown} */
                                status: "not_installed" | "installed" | "outdated" | "drift" | "missing" | "ahead";
                                checksum_ok: boolean | null;
                                drift: boolean;
                                /** @enum {unknown} */
                                action: "install" | "upgrade" | "repair" | "skip" | "drift";
                                depends_on: string[];
                                version: string;
                            }[];
                        }[];
                        user_context: components["schemas"]["ListModulesReplyUserContext"];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    getHubStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            installed: boolean;
                            tables: {
                                name: string;
                                exists: boolean;
                            }[];
                            runtime_scope: string;
                            version: string;
                            /** @description whether an installation is in progress */
                            locked: boolean;
                        };
                        user_context: components["schemas"]["ListModulesReplyUserContext"];
                        meta: components["schemas"]["CacheMeta"];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    getModule: {
        parameters: {
            query?: {
                /** @description default: service-core */
                runtime_scope?: string;
            };
            header?: never;
            path: {
                /** @example two-factor */
                module_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            module_id: string;
                            name: string;
                            module_description: string;
                            module_version: string;
                            runtime_scope: string;
                            runtime_scopes: string[];
                            depends_on: string[];
                            /** @enum {unknown} */
                            status: "not_installed" | "drift" | "partial" | "update_available" | "installed";
                            /** @description whether the settings enable the module */
                            enabled: boolean;
                            /** @description names of the settings that must be true to enable the module */
                            switches: string[];
                            missing_dependencies: string[];
                            components: {
                                component_id: string;
                                /** @enum {unknown} */
                                component_type: "core" | "extension";
                                description: string;
                                expected_version: string;
                                installed_version: string | null;
                                installed: boolean;
                                /** @enum {unknown} */
                                status: "not_installed" | "installed" | "outdated" | "drift" | "missing" | "ahead";
                                checksum_ok: boolean | null;
                                drift: boolean;
                                /** @enum {unknown} */
                                action: "install" | "upgrade" | "repair" | "skip" | "drift";
                                depends_on: string[];
                            }[];
                        };
                        user_context: components["schemas"]["ListModulesReplyUserContext"];
                        meta: components["schemas"]["CacheMeta"];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    getModuleRegistry: {
        parameters: {
            query?: {
                /** @description default: service-core */
                runtime_scope?: string;
                /** @description default: 1 */
                page?: number;
                /** @description default: 10; values above 100 are treated as 100 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @example two-factor */
                module_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            id: string;
                            module_id: string;
                            component_id: string;
                            /** @enum {unknown} */
                            component_type: "core" | "extension";
                            runtime_scope: string;
                            version: string;
                            /** @description SHA-256 hash of the executed SQL */
                            checksum: string;
                            /** @enum {unknown} */
                            status: "installed" | "repaired";
                            run_id: string;
                            installed_by: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, with milliseconds
                             */
                            installed_at: string;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, with milliseconds
                             */
                            updated_at: string;
                        }[];
                        user_context: components["schemas"]["ListModulesReplyUserContext"];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    listModuleRuns: {
        parameters: {
            query?: {
                /** @description default: service-core */
                runtime_scope?: string;
                /** @description default: 1 */
                page?: number;
                /** @description default: 10; values above 100 are treated as 100 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @example two-factor */
                module_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ModuleRun"][];
                        user_context: components["schemas"]["ListModulesReplyUserContext"];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    getTwoFactorSystem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        global_two_factor_enabled: boolean;
                        /** @description methods that can be set up */
                        available_methods: string[];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    listTwoFactorMethods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        methods: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            id: string;
                            /** @description email, sms, totp, passkey or recovery */
                            method: string;
                            /** @enum {string} */
                            status: "pending_setup" | "active";
                            identifier: string | null;
                            /** Format: date-time */
                            last_used_at: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, with milliseconds
                             */
                            created_at: string;
                            /** @description kind-specific details of the method; shown only to its owner */
                            metadata: {
                                [key: string]: unknown;
                            };
                        }[];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED"];
            404: components["responses"]["404.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    setUpTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example email */
                method: "email" | "sms" | "totp" | "passkey";
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "identifier": "ada@example.com"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description email address or phone number; default: the account's
                     * @example ada@example.com
                     */
                    identifier?: string;
                    /** @example My phone */
                    name?: string;
                    /**
                     * @description always checked if present, even after a recent sign-in
                     * @example seven quiet river stones
                     */
                    current_password?: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        method_id: string;
                        /** @description email, sms, totp, passkey or recovery */
                        method: string;
                        /** @description whether a code was sent */
                        verification_sent: boolean;
                        /** @description seconds */
                        expires_in: number;
                        message: string;
                        /** @enum {string} */
                        status: "pending_setup";
                        /** @description authenticator seed in base32 */
                        secret?: string;
                        otpauth_url?: string;
                        /** @description the `otpauth` URL as a QR code */
                        qr_svg?: string;
                        options?: components["schemas"]["PasskeyCreationOptions"];
                    };
                };
            };
            400: components["responses"]["400.INVALID_CODE.INVALID_CURRENT_PASSWORD.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.ACCOUNT_LOCKED.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    startTwoFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only with X-Bridge-Secret: the IP address of the end user on whose behalf a back end calls. Used for rate limits, the audit log and emails. */
                "X-End-User-IP"?: string;
                /** @description Only with X-End-User-IP: the end user's user agent. */
                "X-End-User-Agent"?: string;
            };
            path: {
                /** @example email */
                method: "email" | "sms" | "totp" | "passkey" | "recovery";
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "action": "login"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description default: the user's default method of this kind
                     * @example 01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf
                     */
                    method_id?: string;
                    /**
                     * @description action to confirm; optional for a partial session, for which only login is allowed
                     * @example login
                     * @enum {string}
                     */
                    action?: "login" | "setup" | "remove" | "toggle" | "reauth" | "disable";
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        method_id: string;
                        /** @description email, sms, totp, passkey or recovery */
                        method: string;
                        /** @description whether a code was sent */
                        verification_sent: boolean;
                        /** @description seconds */
                        expires_in: number;
                        message: string;
                        options?: components["schemas"]["PasskeyRequestOptions"] | components["schemas"]["PasskeyCreationOptions"];
                    };
                };
            };
            400: components["responses"]["400.INVALID_CODE.VALIDATION_ERROR"];
            401: components["responses"]["401.TWO_FACTOR_REQUIRED.INVALID_SESSION.SESSION_EXPIRED.BRIDGE_SECRET_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    verifyTwoFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only with X-Bridge-Secret: the IP address of the end user on whose behalf a back end calls. Used for rate limits, the audit log and emails. */
                "X-End-User-IP"?: string;
                /** @description Only with X-End-User-IP: the end user's user agent. */
                "X-End-User-Agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "code": "271828",
                 *       "action": "login"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description six-digit code or recovery code
                     * @example 271828
                     */
                    code?: string;
                    response?: components["schemas"]["PasskeyResponse"];
                    /**
                     * @description default: the default method
                     * @example 01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf
                     */
                    method_id?: string;
                    /** @description method kind, as an alternative to method_id */
                    method?: string;
                    /**
                     * @description action to confirm; optional for a partial session, for which only login is allowed
                     * @example login
                     * @enum {string}
                     */
                    action?: "login" | "setup" | "remove" | "toggle" | "reauth" | "disable";
                    /**
                     * @description whether to skip the second factor in this browser for the duration of TWO_FACTOR_REMEMBER
                     * @example true
                     */
                    remember_device?: boolean;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** @enum {boolean} */
                        verified: true;
                        session_activated: boolean;
                        /** @description email, sms, totp, passkey or recovery */
                        method: string;
                        message: string;
                        user: components["schemas"]["User"] | components["schemas"]["FactorUser"];
                        /** @description the session token: ses_ followed by 43 characters */
                        sessionId?: string;
                        /** @description the session token: ses_ followed by 43 characters */
                        session_id?: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC, with milliseconds
                         */
                        expiresAt?: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC, with milliseconds
                         */
                        expires_at?: string;
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        method_id?: string;
                        /** @enum {string} */
                        status?: "active";
                        /** @description present only when the first method becomes active; the codes are not returned again */
                        recovery_codes?: string[];
                        /** @description seconds */
                        verification_valid_for?: number;
                    };
                };
            };
            400: components["responses"]["400.INVALID_CODE.TWO_FACTOR_NO_METHOD.VALIDATION_ERROR"];
            401: components["responses"]["401.TWO_FACTOR_REQUIRED.INVALID_SESSION.SESSION_EXPIRED.BRIDGE_SECRET_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    toggleTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": true,
                 *       "verification_code": "271828"
                 *     }
                 */
                "application/json": {
                    /** @example true */
                    enabled: boolean;
                    /**
                     * @description code from an active method, or a recovery code
                     * @example 271828
                     */
                    verification_code?: string;
                    /**
                     * @description id of the code's method; default: the user's default method
                     * @example 01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf
                     */
                    verification_method_id?: string;
                    /**
                     * @description always checked if present, even after a recent sign-in
                     * @example seven quiet river stones
                     */
                    current_password?: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        two_factor: boolean;
                        two_factor_enabled: boolean;
                        active_methods: string[];
                        message: string;
                    };
                };
            };
            400: components["responses"]["400.INVALID_CODE.INVALID_CURRENT_PASSWORD.TWO_FACTOR_CODE_REQUIRED.TWO_FACTOR_NO_METHOD.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.ACCOUNT_LOCKED.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    removeTwoFactorMethod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                method_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "verification_code": "271828"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description code from an active method, or a recovery code
                     * @example 271828
                     */
                    verification_code?: string;
                    /**
                     * @description id of the code's method; default: the user's default method
                     * @example 01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf
                     */
                    verification_method_id?: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["400.INVALID_CODE.TWO_FACTOR_CODE_REQUIRED.TWO_FACTOR_NO_METHOD.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    regenerateRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "current_password": "seven quiet river stones"
                 *     }
                 */
                "application/json": components["schemas"]["EndOtherSessionsBody"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        recovery_codes: string[];
                        message: string;
                    };
                };
            };
            400: components["responses"]["400.INVALID_CODE.INVALID_CURRENT_PASSWORD.TWO_FACTOR_NO_METHOD.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.ACCOUNT_LOCKED.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    startPasskeySignIn: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only with X-Bridge-Secret: the IP address of the end user on whose behalf a back end calls. Used for rate limits, the audit log and emails. */
                "X-End-User-IP"?: string;
                /** @description Only with X-End-User-IP: the end user's user agent. */
                "X-End-User-Agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        challenge_id: string;
                        options: components["schemas"]["PasskeyRequestOptions"];
                        /** @description seconds */
                        expires_in: number;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.BRIDGE_SECRET_REQUIRED"];
            404: components["responses"]["404.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    signInWithPasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only with X-Bridge-Secret: the IP address of the end user on whose behalf a back end calls. Used for rate limits, the audit log and emails. */
                "X-End-User-IP"?: string;
                /** @description Only with X-End-User-IP: the end user's user agent. */
                "X-End-User-Agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "challenge_id": "x7Qm2vTqk0hZ8n4cW1rJ9s",
                 *       "response": {
                 *         "id": "kP3nZ0xQ9bT7",
                 *         "rawId": "kP3nZ0xQ9bT7",
                 *         "type": "public-key",
                 *         "response": {
                 *           "clientDataJSON": "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0",
                 *           "authenticatorData": "SZYN5YgO",
                 *           "signature": "MEUCIQDx"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    challenge_id: string;
                    response: components["schemas"]["PasskeyResponse"];
                    /** @description device name chosen by the client */
                    device_id?: string;
                };
            };
        };
        responses: {
            /** @description The session, or the available second factors if one is required. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignIn"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_CREDENTIALS.BRIDGE_SECRET_REQUIRED"];
            403: components["responses"]["403.ACCOUNT_BLOCKED.EMAIL_NOT_VERIFIED"];
            404: components["responses"]["404.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    resetUserTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.REAUTH_REQUIRED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    getPrivacy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrivacyStatusReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED"];
            404: components["responses"]["404.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    updatePrivacy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "gdpr_consent": true,
                 *       "gdpr_consent_version": "2026-11",
                 *       "privacy_region": "eu"
                 *     }
                 */
                "application/json": {
                    /** @example true */
                    gdpr_consent?: boolean;
                    /**
                     * @description terms version; only with a consent
                     * @example 2026-11
                     */
                    gdpr_consent_version?: string;
                    /** @example false */
                    ccpa_opt_out?: boolean;
                    /** @enum {unknown} */
                    privacy_region?: "eu" | "ca" | "eu_ca" | "global";
                    /**
                     * @description only accepted if it matches the region
                     * @example false
                     */
                    ccpa_applies?: boolean;
                };
            };
        };
        responses: {
            /** @description The updated object. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrivacyStatusReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    listPrivacyHistory: {
        parameters: {
            query?: {
                /** @description default: 1 */
                page?: number;
                /** @description default: 10; values above 100 are treated as 100 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            events: components["schemas"]["PrivacyHistoryEntry"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED"];
            404: components["responses"]["404.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    getPrivacyExport: {
        parameters: {
            query?: {
                /** @description true returns a file */
                download?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["GetPrivacyExportReplyData"];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    requestPrivacyExport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "current_password": "seven quiet river stones"
                 *     }
                 */
                "application/json": components["schemas"]["EndOtherSessionsBody"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportRequested"];
                };
            };
            400: components["responses"]["400.INVALID_CURRENT_PASSWORD.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.REAUTH_REQUIRED.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.ACCOUNT_LOCKED.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    getDeletionRequest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletionRequestReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED"];
            404: components["responses"]["404.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    requestDeletion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "current_password": "seven quiet river stones",
                 *       "reason": "no longer needed"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description always checked if present, even after a recent sign-in
                     * @example seven quiet river stones
                     */
                    current_password?: string;
                    /**
                     * @description stored with the request and in the audit log
                     * @example no longer needed
                     */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletionRequestReply"];
                };
            };
            400: components["responses"]["400.INVALID_CURRENT_PASSWORD.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.LAST_SUPERADMIN.REAUTH_REQUIRED.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.ACCOUNT_LOCKED.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    cancelDeletion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletionRequestReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    listPrivacyRequests: {
        parameters: {
            query?: {
                /** @description default: open */
                state?: "open" | "closed";
                /** @description default: 1 */
                page?: number;
                /** @description default: 10; values above 100 are treated as 100 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            requests: components["schemas"]["PrivacyRequest"][];
                            pagination: components["schemas"]["Pagination"];
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    requestUserDeletion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "requested by letter"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description stored with the request and in the audit log
                     * @example no longer needed
                     */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletionRequestReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.LAST_SUPERADMIN.CSRF_REJECTED.FORBIDDEN.REAUTH_REQUIRED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    cancelUserDeletion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletionRequestReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.REAUTH_REQUIRED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    sendUserExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportRequested"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.REAUTH_REQUIRED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    openPrivacyExportLink: {
        parameters: {
            query: {
                /** @description token from the link */
                token: string;
                format?: "json";
                /** @description for the service's own pages */
                flow?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetPrivacyExportReplyData"];
                    "text/html": string;
                };
            };
            400: components["responses"]["400.INVALID_TOKEN.VALIDATION_ERROR"];
            404: components["responses"]["404.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    downloadPrivacyExport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "x7Qm2vTqk0hZ8n4cW1rJ9sLd3YfBpUe6GaKtRiOoNzE"
                 *     }
                 */
                "application/json": {
                    /** @description token from the link */
                    token: string;
                    /** @description form token from the confirmation page */
                    form_token?: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetPrivacyExportReplyData"];
                    "text/html": string;
                };
            };
            400: components["responses"]["400.INVALID_TOKEN.VALIDATION_ERROR"];
            404: components["responses"]["404.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    getOnboarding: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnboardingReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED"];
            404: components["responses"]["404.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    startOnboarding: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "team": "research",
                 *       "invited": 3
                 *     }
                 */
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnboardingReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    completeOnboardingStep: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description one of ONBOARDING_STEPS, or any name if the setting is empty; up to 32 steps
                 * @example company
                 */
                step: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "team": "research",
                 *       "invited": 3
                 *     }
                 */
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnboardingReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            409: components["responses"]["409.ONBOARDING_COMPLETED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    skipOnboardingStep: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description one of ONBOARDING_STEPS, or any name if the setting is empty; up to 32 steps
                 * @example company
                 */
                step: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnboardingReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            409: components["responses"]["409.ONBOARDING_COMPLETED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    completeOnboarding: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "is_business": true,
                 *       "biz_name": "Analytical Engines Ltd",
                 *       "biz_country": "GB"
                 *     }
                 */
                "application/json": components["schemas"]["OnboardingCompletion"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CompleteOnboardingReplyData"];
                        user_context: components["schemas"]["UserContext"];
                        meta: Record<string, unknown>;
                    };
                };
            };
            400: components["responses"]["400.PHONE_TAKEN.USER_NAME_TAKEN.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    completeOwnOnboarding: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "is_business": true,
                 *       "biz_name": "Analytical Engines Ltd",
                 *       "biz_country": "GB"
                 *     }
                 */
                "application/json": components["schemas"]["OnboardingCompletion"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["CompleteOnboardingReplyData"];
                        user_context: components["schemas"]["UserContext"];
                        meta: Record<string, unknown>;
                    };
                };
            };
            400: components["responses"]["400.PHONE_TAKEN.USER_NAME_TAKEN.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    getPostBySlug: {
        parameters: {
            query?: {
                /**
                 * @description language tag
                 * @example es
                 */
                lang?: string;
            };
            header?: {
                /** @description only for posts whose `visibility` is `password` */
                "x-post-password"?: string;
            };
            path: {
                /** @example notes-on-the-engine */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PostReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            403: components["responses"]["403.PASSWORD_REQUIRED.CSRF_REJECTED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    getPost: {
        parameters: {
            query?: {
                /**
                 * @description language tag
                 * @example es
                 */
                lang?: string;
            };
            header?: {
                /** @description only for posts whose `visibility` is `password` */
                "x-post-password"?: string;
            };
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *         "slug": "notes-on-the-engine",
                     *         "title": "Notes on the engine",
                     *         "lang": "en",
                     *         "body": "It weaves *algebraic patterns*.",
                     *         "body_format": "markdown",
                     *         "body_html": "<p>It weaves <em>algebraic patterns</em>.</p>",
                     *         "excerpt": "It weaves algebraic patterns.",
                     *         "featured_image": null,
                     *         "status": "published",
                     *         "visibility": "public",
                     *         "password_protected": false,
                     *         "user_id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *         "author": {
                     *           "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *           "name": "Ada",
                     *           "last_name": "Lovelace",
                     *           "display_name": null,
                     *           "picture": null
                     *         },
                     *         "categories": [
                     *           {
                     *             "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *             "name": "Engines",
                     *             "slug": "engines"
                     *           }
                     *         ],
                     *         "tags": [],
                     *         "comments_enabled": true,
                     *         "reactions_enabled": true,
                     *         "scheduled_at": null,
                     *         "published_at": "2026-11-20T17:48:31.705Z",
                     *         "created_at": "2026-11-20T17:48:31.705Z",
                     *         "updated_at": "2026-11-20T17:48:31.705Z",
                     *         "metadata": {},
                     *         "counts": {
                     *           "comments": 0
                     *         }
                     *       },
                     *       "user_context": {
                     *         "authenticated": false
                     *       },
                     *       "meta": {
                     *         "cached": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PostReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            403: components["responses"]["403.PASSWORD_REQUIRED.CSRF_REJECTED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    updatePost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "title": "Notes on the engine",
                 *       "expected_updated_at": "2030-01-31T09:00:00Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description 1 to 255 characters
                     * @example Notes on the engine
                     */
                    title?: string;
                    /**
                     * @description at most 200 characters of a-z, 0-9 and single hyphens; default: derived from the title
                     * @example notes-on-the-engine
                     */
                    slug?: string;
                    /**
                     * @description at most 1 MiB; an object if body_format is json; required to publish or schedule
                     * @example # Notes
                     *
                     *     It weaves *algebraic patterns*.
                     */
                    body?: string | {
                        [key: string]: unknown;
                    };
                    /**
                     * @description default: markdown; html is sanitized
                     * @example markdown
                     * @enum {unknown}
                     */
                    body_format?: "markdown" | "html" | "text" | "json";
                    /**
                     * @description plain text, at most 1000 characters; "" clears it
                     * @example What it weaves
                     */
                    excerpt?: string;
                    /**
                     * @description http or https URL; "" clears it
                     * @example https://www.example.com/engine.webp
                     */
                    featured_image?: string;
                    /**
                     * @description default: draft; scheduled requires scheduled_at
                     * @example draft
                     * @enum {unknown}
                     */
                    status?: "draft" | "pending" | "scheduled" | "published";
                    /**
                     * @description default: public
                     * @example public
                     * @enum {unknown}
                     */
                    visibility?: "public" | "auth" | "private" | "password";
                    /**
                     * @description 4 to 128 characters; only for posts whose `visibility` is `password`
                     * @example difference no. 2
                     */
                    password?: string;
                    /**
                     * @description at most 20; replaces the entire set
                     * @example [
                     *       "0198c1a2-3b4c-7d5e-8f60-718293a4b5c6"
                     *     ]
                     */
                    category_ids?: string[];
                    /**
                     * @description at most 50; replaces the entire set
                     * @example [
                     *       "0198c1a2-3b4c-7d5e-8f60-718293a4b5c6"
                     *     ]
                     */
                    tag_ids?: string[];
                    /** @example true */
                    comments_enabled?: boolean;
                    /** @example true */
                    reactions_enabled?: boolean;
                    /**
                     * @description ISO 8601 with time zone, in the future
                     * @example 2035-01-31T09:00:00Z
                     */
                    scheduled_at?: string;
                    /**
                     * @description replaces the entire object; at most 16 KiB as JSON; null clears it
                     * @example {
                     *       "series": "engines"
                     *     }
                     */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                    /**
                     * @description language tag; default: BLOG_DEFAULT_LANG
                     * @example en
                     */
                    lang?: string;
                    /**
                     * @description post type key; default: post
                     * @example post
                     */
                    post_type?: string;
                    /** @description values for the post type's fields, merged by name; null clears a field. Only for types that define fields */
                    fields?: {
                        [key: string]: unknown;
                    };
                    /** @description merged by name; "" clears a value. Only for types with the enables_seo behavior */
                    seo?: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description id of another owner; only for administrators
                     * @example 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6
                     */
                    user_id?: string;
                    /**
                     * @description `updated_at` of the version you read; the request is rejected if that is no longer the current version
                     * @example 2030-01-31T09:00:00Z
                     */
                    expected_updated_at?: string;
                };
            };
        };
        responses: {
            /** @description The updated object. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            id: string;
                            slug: string;
                            title: string;
                            lang: string;
                            body: string | null;
                            /** @enum {unknown} */
                            body_format: "markdown" | "html" | "text" | "json";
                            /** @description sanitized HTML that is safe to display; null if body_format is json */
                            body_html: string | null;
                            /** @description plain text; derived from the body if none is stored */
                            excerpt: string;
                            featured_image: string | null;
                            /** @enum {unknown} */
                            status: "draft" | "pending" | "scheduled" | "published";
                            /** @enum {unknown} */
                            visibility: "public" | "auth" | "private" | "password";
                            password_protected: boolean;
                            user_id: string | null;
                            author: components["schemas"]["PostAuthor"];
                            categories: components["schemas"]["NamedTerm"][];
                            tags: components["schemas"]["NamedTerm"][];
                            comments_enabled: boolean;
                            reactions_enabled: boolean;
                            /** Format: date-time */
                            scheduled_at: string | null;
                            /** Format: date-time */
                            published_at: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, with milliseconds
                             */
                            created_at: string;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, with milliseconds
                             */
                            updated_at: string;
                            metadata: {
                                [key: string]: unknown;
                            };
                            /** @description `post_type` and `fields` are absent if `post` is the only post type */
                            post_type?: string;
                            fields?: {
                                [key: string]: unknown;
                            };
                            seo?: components["schemas"]["PostSeo"];
                            /** @description the counts `comments` (approved comments only), `reactions`, `bookmarks` and `views`; each count requires its component */
                            counts: {
                                [key: string]: number;
                            };
                            viewer?: components["schemas"]["PostViewer"];
                            /** @description languages of the translations */
                            translations?: string[];
                            /** @enum {boolean} */
                            updated: true;
                        };
                        user_context: components["schemas"]["UserContext"];
                        meta: components["schemas"]["UpdatePostReplyMeta"];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            409: components["responses"]["409.EDIT_CONFLICT.MAX_PER_AUTHOR.POST_TYPE_INACTIVE.SCHEDULING_DISABLED.SLUG_TAKEN"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    deletePost: {
        parameters: {
            query?: {
                force?: boolean;
            };
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TermDeleted"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    listPosts: {
        parameters: {
            query?: {
                /** @description default: 1 */
                page?: number;
                /** @description default: 10; values above 100 are treated as 100 */
                limit?: number;
                /**
                 * @description language tag: only posts written in this language or translated into it
                 * @example en
                 */
                lang?: string;
                /** @description default: published. Any other status returns only your own posts; for administrators, it returns the posts of all users. `deleted` returns the posts in the trash and is only for administrators */
                status?: "draft" | "pending" | "scheduled" | "published" | "deleted";
                /**
                 * @description id or slug
                 * @example engines
                 */
                category?: string;
                /**
                 * @description id or slug
                 * @example notes
                 */
                tag?: string;
                /**
                 * @description id of a user
                 * @example 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6
                 */
                author?: string;
                /**
                 * @description post type key; default: all types
                 * @example post
                 */
                post_type?: string;
                /** @description private returns only your own posts; for administrators, it returns the posts of all users */
                visibility?: "public" | "auth" | "private" | "password";
                /**
                 * @description 1 to 100 characters: words in the title, excerpt or body; the last word can be a prefix
                 * @example engine
                 */
                q?: string;
                /**
                 * @description ISO 8601 with time zone
                 * @example 2020-01-31T09:00:00Z
                 */
                published_after?: string;
                /**
                 * @description ISO 8601 with time zone
                 * @example 2035-01-31T09:00:00Z
                 */
                published_before?: string;
                /** @description default: published_at; views requires the ext-views component */
                sort?: "published_at" | "created_at" | "updated_at" | "title" | "views";
                /** @description default: desc; posts with equal values are ordered by id */
                order?: "desc" | "asc";
                /** @description only your own posts, in all statuses unless `status` is set */
                mine?: boolean;
                /** @description includes the body source */
                include?: "body";
                /** @description includes posts in the trash; only for administrators */
                include_deleted?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *           "slug": "notes-on-the-engine",
                     *           "title": "Notes on the engine",
                     *           "lang": "en",
                     *           "body_format": "markdown",
                     *           "excerpt": "It weaves algebraic patterns.",
                     *           "featured_image": null,
                     *           "status": "published",
                     *           "visibility": "public",
                     *           "password_protected": false,
                     *           "user_id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *           "author": {
                     *             "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *             "name": "Ada",
                     *             "last_name": "Lovelace",
                     *             "display_name": null,
                     *             "picture": null
                     *           },
                     *           "categories": [
                     *             {
                     *               "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *               "name": "Engines",
                     *               "slug": "engines"
                     *             }
                     *           ],
                     *           "tags": [],
                     *           "comments_enabled": true,
                     *           "reactions_enabled": true,
                     *           "scheduled_at": null,
                     *           "published_at": "2026-11-20T17:48:31.705Z",
                     *           "created_at": "2026-11-20T17:48:31.705Z",
                     *           "updated_at": "2026-11-20T17:48:31.705Z",
                     *           "metadata": {},
                     *           "counts": {
                     *             "comments": 0
                     *           }
                     *         }
                     *       ],
                     *       "user_context": {
                     *         "authenticated": false
                     *       },
                     *       "meta": {
                     *         "page": 1,
                     *         "limit": 10,
                     *         "total": 1,
                     *         "pages": 1,
                     *         "has_more": false,
                     *         "cached": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ListPostsReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION"];
            403: components["responses"]["403.FORBIDDEN.CSRF_REJECTED"];
            404: components["responses"]["404.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    createPost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Notes on the engine",
                 *       "body": "It weaves *algebraic patterns*.",
                 *       "status": "draft"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description 1 to 255 characters
                     * @example Notes on the engine
                     */
                    title: string;
                    /**
                     * @description at most 200 characters of a-z, 0-9 and single hyphens; default: derived from the title
                     * @example notes-on-the-engine
                     */
                    slug?: string;
                    /**
                     * @description at most 1 MiB; an object if body_format is json; required to publish or schedule
                     * @example # Notes
                     *
                     *     It weaves *algebraic patterns*.
                     */
                    body?: string | {
                        [key: string]: unknown;
                    };
                    /**
                     * @description default: markdown; html is sanitized
                     * @example markdown
                     * @enum {unknown}
                     */
                    body_format?: "markdown" | "html" | "text" | "json";
                    /**
                     * @description plain text, at most 1000 characters; "" clears it
                     * @example What it weaves
                     */
                    excerpt?: string;
                    /**
                     * @description http or https URL; "" clears it
                     * @example https://www.example.com/engine.webp
                     */
                    featured_image?: string;
                    /**
                     * @description default: draft; scheduled requires scheduled_at
                     * @example draft
                     * @enum {unknown}
                     */
                    status?: "draft" | "pending" | "scheduled" | "published";
                    /**
                     * @description default: public
                     * @example public
                     * @enum {unknown}
                     */
                    visibility?: "public" | "auth" | "private" | "password";
                    /**
                     * @description 4 to 128 characters; only for posts whose `visibility` is `password`
                     * @example difference no. 2
                     */
                    password?: string;
                    /**
                     * @description at most 20; replaces the entire set
                     * @example [
                     *       "0198c1a2-3b4c-7d5e-8f60-718293a4b5c6"
                     *     ]
                     */
                    category_ids?: string[];
                    /**
                     * @description at most 50; replaces the entire set
                     * @example [
                     *       "0198c1a2-3b4c-7d5e-8f60-718293a4b5c6"
                     *     ]
                     */
                    tag_ids?: string[];
                    /** @example true */
                    comments_enabled?: boolean;
                    /** @example true */
                    reactions_enabled?: boolean;
                    /**
                     * @description ISO 8601 with time zone, in the future
                     * @example 2035-01-31T09:00:00Z
                     */
                    scheduled_at?: string;
                    /**
                     * @description replaces the entire object; at most 16 KiB as JSON; null clears it
                     * @example {
                     *       "series": "engines"
                     *     }
                     */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                    /**
                     * @description language tag; default: BLOG_DEFAULT_LANG
                     * @example en
                     */
                    lang?: string;
                    /**
                     * @description post type key; default: post
                     * @example post
                     */
                    post_type?: string;
                    /** @description values for the post type's fields, merged by name; null clears a field. Only for types that define fields */
                    fields?: {
                        [key: string]: unknown;
                    };
                    /** @description merged by name; "" clears a value. Only for types with the enables_seo behavior */
                    seo?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description The created object. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *         "slug": "notes-on-the-engine",
                     *         "title": "Notes on the engine",
                     *         "lang": "en",
                     *         "body": "It weaves *algebraic patterns*.",
                     *         "body_format": "markdown",
                     *         "body_html": "<p>It weaves <em>algebraic patterns</em>.</p>",
                     *         "excerpt": "It weaves algebraic patterns.",
                     *         "featured_image": null,
                     *         "status": "draft",
                     *         "visibility": "public",
                     *         "password_protected": false,
                     *         "user_id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *         "author": {
                     *           "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *           "name": "Ada",
                     *           "last_name": "Lovelace",
                     *           "display_name": null,
                     *           "picture": null
                     *         },
                     *         "categories": [
                     *           {
                     *             "id": "019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90",
                     *             "name": "Engines",
                     *             "slug": "engines"
                     *           }
                     *         ],
                     *         "tags": [],
                     *         "comments_enabled": true,
                     *         "reactions_enabled": true,
                     *         "scheduled_at": null,
                     *         "published_at": null,
                     *         "created_at": "2026-11-20T17:48:31.705Z",
                     *         "updated_at": "2026-11-20T17:48:31.705Z",
                     *         "metadata": {},
                     *         "counts": {
                     *           "comments": 0
                     *         }
                     *       },
                     *       "user_context": {
                     *         "authenticated": true,
                     *         "user_type": "writer"
                     *       },
                     *       "meta": {
                     *         "cached": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Post"];
                        user_context: components["schemas"]["UserContext"];
                        meta: components["schemas"]["CreatePostReplyMeta"];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            409: components["responses"]["409.MAX_PER_AUTHOR.POST_TYPE_INACTIVE.SCHEDULING_DISABLED.SLUG_TAKEN"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    previewPost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "body": "# Notes\n\nIt weaves *algebraic patterns*.",
                 *       "body_format": "markdown"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description at most 1 MiB; an object if body_format is json; required to publish or schedule
                     * @example # Notes
                     *
                     *     It weaves *algebraic patterns*.
                     */
                    body?: string | {
                        [key: string]: unknown;
                    };
                    /**
                     * @description default: markdown; html is sanitized
                     * @example markdown
                     * @enum {unknown}
                     */
                    body_format?: "markdown" | "html" | "text" | "json";
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            body_html: string | null;
                            /** @description derived from the body */
                            excerpt: string;
                        };
                        user_context: components["schemas"]["UserContext"];
                        meta: components["schemas"]["CreatePostReplyMeta"];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    publishPost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "expected_updated_at": "2030-01-31T09:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["PublishPostBody"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PostMoved"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            409: components["responses"]["409.EDIT_CONFLICT.POST_TYPE_INACTIVE.SCHEDULING_DISABLED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    unpublishPost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PostMoved"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            409: components["responses"]["409.POST_TYPE_INACTIVE.SCHEDULING_DISABLED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    schedulePost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "scheduled_at": "2035-01-31T09:00:00Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description ISO 8601 with time zone, in the future
                     * @example 2035-01-31T09:00:00Z
                     */
                    scheduled_at: string;
                    /**
                     * @description `updated_at` of the version you read; the request is rejected if that is no longer the current version
                     * @example 2030-01-31T09:00:00Z
                     */
                    expected_updated_at?: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PostMoved"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            409: components["responses"]["409.EDIT_CONFLICT.POST_TYPE_INACTIVE.SCHEDULING_DISABLED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    restorePost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            id: string;
                            /** @enum {boolean} */
                            restored: true;
                            /** @enum {string} */
                            status: "draft";
                        };
                        user_context: components["schemas"]["UserContext"];
                        meta: Record<string, unknown>;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            409: components["responses"]["409.NOT_DELETED.SLUG_TAKEN"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    listRevisions: {
        parameters: {
            query?: {
                /** @description default: 1 */
                page?: number;
                /** @description default: 10; values above 100 are treated as 100 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            id: string;
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            post_id: string;
                            user_id: string | null;
                            title: string;
                            excerpt: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, with milliseconds
                             */
                            created_at: string;
                        }[];
                        user_context: components["schemas"]["UserContext"];
                        meta: components["schemas"]["ListPostsReplyMeta"];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    getRevision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                revision_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            id: string;
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            post_id: string;
                            user_id: string | null;
                            title: string;
                            excerpt: string | null;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, with milliseconds
                             */
                            created_at: string;
                            body: string | null;
                            /** @enum {unknown} */
                            body_format: "markdown" | "html" | "text" | "json";
                            fields: {
                                [key: string]: unknown;
                            };
                        };
                        user_context: components["schemas"]["UserContext"];
                        meta: Record<string, unknown>;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    restoreRevision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                revision_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "expected_updated_at": "2030-01-31T09:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["PublishPostBody"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            id: string;
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            revision_id: string;
                            /** @enum {boolean} */
                            restored: true;
                        };
                        user_context: components["schemas"]["UserContext"];
                        meta: Record<string, unknown>;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            409: components["responses"]["409.EDIT_CONFLICT.SLUG_TAKEN"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    listTranslations: {
        parameters: {
            query?: never;
            header?: {
                /** @description only for posts whose `visibility` is `password` */
                "x-post-password"?: string;
            };
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Translation"][];
                        user_context: components["schemas"]["UserContext"];
                        meta: Record<string, unknown>;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            403: components["responses"]["403.PASSWORD_REQUIRED.CSRF_REJECTED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    saveTranslation: {
        parameters: {
            query?: never;
            header?: {
                /** @description only for posts whose `visibility` is `password` */
                "x-post-password"?: string;
            };
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "lang": "es",
                 *       "title": "Notas sobre la máquina",
                 *       "body": "Teje *patrones algebraicos*."
                 *     }
                 */
                "application/json": {
                    /**
                     * @description language tag other than the post's
                     * @example es
                     */
                    lang: string;
                    /**
                     * @description 1 to 255 characters
                     * @example Notes on the engine
                     */
                    title: string;
                    /**
                     * @description at most 1 MiB; an object if body_format is json; required to publish or schedule
                     * @example # Notes
                     *
                     *     It weaves *algebraic patterns*.
                     */
                    body?: string | {
                        [key: string]: unknown;
                    };
                    /**
                     * @description plain text, at most 1000 characters; "" clears it
                     * @example What it weaves
                     */
                    excerpt?: string;
                    /**
                     * @description `updated_at` of the version you read, or null if there was none; the request is rejected if that is no longer the current version
                     * @example null
                     */
                    expected_updated_at?: string | null;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            id: string;
                            lang: string;
                            created: boolean;
                        };
                        user_context: components["schemas"]["UserContext"];
                        meta: components["schemas"]["UpdatePostReplyMeta"];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.PASSWORD_REQUIRED.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            409: components["responses"]["409.EDIT_CONFLICT.SLUG_TAKEN"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    updateTranslation: {
        parameters: {
            query?: never;
            header?: {
                /** @description only for posts whose `visibility` is `password` */
                "x-post-password"?: string;
            };
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
                /** @example es */
                lang: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "excerpt": "Lo que teje"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description 1 to 255 characters
                     * @example Notes on the engine
                     */
                    title?: string;
                    /**
                     * @description at most 1 MiB; an object if body_format is json; required to publish or schedule
                     * @example # Notes
                     *
                     *     It weaves *algebraic patterns*.
                     */
                    body?: string | {
                        [key: string]: unknown;
                    };
                    /**
                     * @description plain text, at most 1000 characters; "" clears it
                     * @example What it weaves
                     */
                    excerpt?: string;
                    /**
                     * @description at most 200 characters of a-z, 0-9 and single hyphens; default: derived from the title
                     * @example notes-on-the-engine
                     */
                    slug?: string;
                    /**
                     * @description `updated_at` of the version you read; the request is rejected if that is no longer the current version
                     * @example 2030-01-31T09:00:00Z
                     */
                    expected_updated_at?: string;
                };
            };
        };
        responses: {
            /** @description The updated object. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            id: string;
                            lang: string;
                            /** @enum {boolean} */
                            updated: true;
                        };
                        user_context: components["schemas"]["UserContext"];
                        meta: components["schemas"]["UpdatePostReplyMeta"];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.PASSWORD_REQUIRED.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            409: components["responses"]["409.EDIT_CONFLICT.SLUG_TAKEN"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    deleteTranslation: {
        parameters: {
            query?: never;
            header?: {
                /** @description only for posts whose `visibility` is `password` */
                "x-post-password"?: string;
            };
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
                /** @example es */
                lang: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            id: string;
                            lang: string;
                            /** @enum {boolean} */
                            deleted: true;
                        };
                        user_context: components["schemas"]["UserContext"];
                        meta: Record<string, unknown>;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.PASSWORD_REQUIRED.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    listCommentsToModerate: {
        parameters: {
            query?: {
                /** @description default: 1 */
                page?: number;
                /** @description default: 10; values above 100 are treated as 100 */
                limit?: number;
                /** @description default: pending */
                status?: "pending" | "approved" | "rejected" | "spam";
                /** @description only comments on this post */
                post_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListCommentsToModerateReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    listComments: {
        parameters: {
            query?: {
                /** @description default: 1 */
                page?: number;
                /** @description default: 10; values above 100 are treated as 100 */
                limit?: number;
                /** @description order by time; default: asc */
                order?: "asc" | "desc";
                /** @description `root` returns only top-level comments; the id of a comment returns only its replies */
                parent_id?: string;
                /** @description only for moderators */
                status?: "pending" | "approved" | "rejected" | "spam";
            };
            header?: {
                /** @description only for posts whose `visibility` is `password` */
                "x-post-password"?: string;
            };
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListCommentsToModerateReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION"];
            403: components["responses"]["403.FORBIDDEN.PASSWORD_REQUIRED.CSRF_REJECTED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    createComment: {
        parameters: {
            query?: never;
            header?: {
                /** @description only for posts whose `visibility` is `password` */
                "x-post-password"?: string;
            };
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "comment_body": "Which engine is meant?"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description plain text, 1 to 5000 characters
                     * @example Which engine is meant?
                     */
                    comment_body: string;
                    /**
                     * @description id of the comment being replied to
                     * @example 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6
                     */
                    parent_id?: string;
                };
            };
        };
        responses: {
            /** @description The created object. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Comment"];
                        user_context: components["schemas"]["UserContext"];
                        meta: Record<string, unknown>;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.COMMENTS_DISABLED.PASSWORD_REQUIRED.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            409: components["responses"]["409.POST_NOT_PUBLISHED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    updateComment: {
        parameters: {
            query?: never;
            header?: {
                /** @description only for posts whose `visibility` is `password` */
                "x-post-password"?: string;
            };
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                comment_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "comment_body": "Which of the two engines is meant?"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description plain text, 1 to 5000 characters
                     * @example Which engine is meant?
                     */
                    comment_body: string;
                };
            };
        };
        responses: {
            /** @description The updated object. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            id: string;
                            /** @enum {boolean} */
                            updated: true;
                            /** @enum {unknown} */
                            status: "pending" | "approved" | "rejected" | "spam";
                        };
                        user_context: components["schemas"]["UserContext"];
                        meta: Record<string, unknown>;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.EDIT_WINDOW_CLOSED.FORBIDDEN.PASSWORD_REQUIRED.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    deleteComment: {
        parameters: {
            query?: never;
            header?: {
                /** @description only for posts whose `visibility` is `password` */
                "x-post-password"?: string;
            };
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                comment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TermDeleted"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.FORBIDDEN.PASSWORD_REQUIRED.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    moderateComment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                comment_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "action": "approve"
                 *     }
                 */
                "application/json": {
                    /**
                     * @example approve
                     * @enum {unknown}
                     */
                    action?: "approve" | "reject" | "spam" | "pending";
                    /**
                     * @example approved
                     * @enum {unknown}
                     */
                    status?: "pending" | "approved" | "rejected" | "spam";
                    /**
                     * @description at most 500 characters
                     * @example On topic
                     */
                    reason?: string;
                    /**
                     * @description `updated_at` of the version you read; the request is rejected if that is no longer the current version
                     * @example 2030-01-31T09:00:00Z
                     */
                    expected_updated_at?: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            id: string;
                            /** @enum {unknown} */
                            status: "pending" | "approved" | "rejected" | "spam";
                        };
                        user_context: components["schemas"]["UserContext"];
                        meta: Record<string, unknown>;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            409: components["responses"]["409.EDIT_CONFLICT"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    getReactions: {
        parameters: {
            query?: never;
            header?: {
                /** @description only for posts whose `visibility` is `password` */
                "x-post-password"?: string;
            };
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            post_id: string;
                            total: number;
                            counts: {
                                [key: string]: number;
                            };
                            mine: string | null;
                        };
                        user_context: components["schemas"]["UserContext"];
                        meta: Record<string, unknown>;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            403: components["responses"]["403.PASSWORD_REQUIRED.CSRF_REJECTED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    addReaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description only for posts whose `visibility` is `password` */
                "x-post-password"?: string;
            };
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reaction": "like"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description one of REACTION_TYPES
                     * @example like
                     */
                    reaction: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            post_id: string;
                            reaction: string;
                            active: boolean;
                        };
                        user_context: components["schemas"]["UserContext"];
                        meta: Record<string, unknown>;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.PASSWORD_REQUIRED.REACTIONS_DISABLED.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    removeReaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description only for posts whose `visibility` is `password` */
                "x-post-password"?: string;
            };
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            post_id: string;
                            reaction: null;
                            /** @enum {boolean} */
                            active: false;
                        };
                        user_context: components["schemas"]["UserContext"];
                        meta: Record<string, unknown>;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.PASSWORD_REQUIRED.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    listBookmarks: {
        parameters: {
            query?: {
                /** @description default: 1 */
                page?: number;
                /** @description default: 10; values above 100 are treated as 100 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            post_id: string;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, with milliseconds
                             */
                            bookmarked_at: string;
                            slug: string;
                            title: string;
                        }[];
                        user_context: components["schemas"]["UserContext"];
                        meta: components["schemas"]["ListPostsReplyMeta"];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED"];
            404: components["responses"]["404.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    bookmarkPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description only for posts whose `visibility` is `password` */
                "x-post-password"?: string;
            };
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            post_id: string;
                            /** @enum {boolean} */
                            bookmarked: true;
                        };
                        user_context: components["schemas"]["UserContext"];
                        meta: Record<string, unknown>;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.BOOKMARKS_DISABLED.PASSWORD_REQUIRED.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    removeBookmark: {
        parameters: {
            query?: never;
            header?: {
                /** @description only for posts whose `visibility` is `password` */
                "x-post-password"?: string;
            };
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            post_id: string;
                            /** @enum {boolean} */
                            bookmarked: false;
                        };
                        user_context: components["schemas"]["UserContext"];
                        meta: Record<string, unknown>;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.PASSWORD_REQUIRED.CSRF_REJECTED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    countPostView: {
        parameters: {
            query?: never;
            header?: {
                /** @description only for posts whose `visibility` is `password` */
                "x-post-password"?: string;
            };
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            post_id: string;
                            counted: boolean;
                        };
                        user_context: components["schemas"]["UserContext"];
                        meta: Record<string, unknown>;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            403: components["responses"]["403.PASSWORD_REQUIRED.CSRF_REJECTED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    getPostStats: {
        parameters: {
            query?: never;
            header?: {
                /** @description only for posts whose `visibility` is `password` */
                "x-post-password"?: string;
            };
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            post_id: string;
                            views?: number;
                            comments?: number;
                            reactions?: {
                                [key: string]: number;
                            };
                            bookmarks?: number;
                            /** Format: date-time */
                            last_viewed_at: string | null;
                            daily?: {
                                /** @example 2030-01-31 */
                                date: string;
                                views: number;
                            }[];
                        };
                        user_context: components["schemas"]["UserContext"];
                        meta: Record<string, unknown>;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            403: components["responses"]["403.PASSWORD_REQUIRED.CSRF_REJECTED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    listCategories: {
        parameters: {
            query?: {
                /** @description default: 1 */
                page?: number;
                /** @description default: 100; values above 100 are treated as 100 */
                limit?: number;
                /**
                 * @description language tag
                 * @example en
                 */
                lang?: string;
                /**
                 * @description 1 to 100 characters; returns only entries whose name contains this text
                 * @example engine
                 */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Category"][];
                        user_context: components["schemas"]["UserContext"];
                        meta: components["schemas"]["ListPostsReplyMeta"];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            403: components["responses"]["403.CSRF_REJECTED"];
            404: components["responses"]["404.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    createCategory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Engines",
                 *       "lang": "en"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description 1 to 120 characters, unique in its language, ignoring case
                     * @example Engines
                     */
                    name: string;
                    /**
                     * @description a-z, 0-9 and single hyphens, unique in its language; default: derived from the name
                     * @example engines
                     */
                    slug?: string;
                    /**
                     * @description language tag; default: BLOG_DEFAULT_LANG
                     * @example en
                     */
                    lang?: string;
                    /**
                     * @description at most 500 characters; "" clears it
                     * @example What they are made of
                     */
                    description?: string;
                    /**
                     * @description id of the parent category; "" for none. The tree can have at most 8 levels
                     * @example 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6
                     */
                    parent_id?: string;
                    /**
                     * @description default: 0
                     * @example 0
                     */
                    sort_order?: number;
                };
            };
        };
        responses: {
            /** @description The created object. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TermCreated"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.module_not_installed"];
            409: components["responses"]["409.NAME_TAKEN.SLUG_TAKEN"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    getCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Category"];
                        user_context: components["schemas"]["UserContext"];
                        meta: components["schemas"]["GetCategoryReplyMeta"];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            403: components["responses"]["403.CSRF_REJECTED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    updateCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Engines",
                 *       "sort_order": 2
                 *     }
                 */
                "application/json": {
                    /**
                     * @description 1 to 120 characters, unique in its language, ignoring case
                     * @example Engines
                     */
                    name?: string;
                    /**
                     * @description a-z, 0-9 and single hyphens, unique in its language; default: derived from the name
                     * @example engines
                     */
                    slug?: string;
                    /**
                     * @description language tag; default: BLOG_DEFAULT_LANG
                     * @example en
                     */
                    lang?: string;
                    /**
                     * @description at most 500 characters; "" clears it
                     * @example What they are made of
                     */
                    description?: string;
                    /**
                     * @description id of the parent category; "" for none. The tree can have at most 8 levels
                     * @example 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6
                     */
                    parent_id?: string;
                    /**
                     * @description default: 0
                     * @example 0
                     */
                    sort_order?: number;
                };
            };
        };
        responses: {
            /** @description The updated object. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TermUpdated"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            409: components["responses"]["409.NAME_TAKEN.SLUG_TAKEN"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    deleteCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TermDeleted"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    listTags: {
        parameters: {
            query?: {
                /** @description default: 1 */
                page?: number;
                /** @description default: 100; values above 100 are treated as 100 */
                limit?: number;
                /**
                 * @description language tag
                 * @example en
                 */
                lang?: string;
                /**
                 * @description 1 to 100 characters; returns only entries whose name contains this text
                 * @example engine
                 */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Tag"][];
                        user_context: components["schemas"]["UserContext"];
                        meta: components["schemas"]["ListPostsReplyMeta"];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            403: components["responses"]["403.CSRF_REJECTED"];
            404: components["responses"]["404.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    createTag: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Analysis",
                 *       "lang": "en"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description 1 to 120 characters, unique in its language, ignoring case
                     * @example Engines
                     */
                    name: string;
                    /**
                     * @description a-z, 0-9 and single hyphens, unique in its language; default: derived from the name
                     * @example engines
                     */
                    slug?: string;
                    /**
                     * @description language tag; default: BLOG_DEFAULT_LANG
                     * @example en
                     */
                    lang?: string;
                };
            };
        };
        responses: {
            /** @description The created object. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TermCreated"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.module_not_installed"];
            409: components["responses"]["409.NAME_TAKEN.SLUG_TAKEN"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    getTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Tag"];
                        user_context: components["schemas"]["UserContext"];
                        meta: components["schemas"]["GetCategoryReplyMeta"];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            403: components["responses"]["403.CSRF_REJECTED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    updateTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Analysis"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description 1 to 120 characters, unique in its language, ignoring case
                     * @example Engines
                     */
                    name?: string;
                    /**
                     * @description a-z, 0-9 and single hyphens, unique in its language; default: derived from the name
                     * @example engines
                     */
                    slug?: string;
                    /**
                     * @description language tag; default: BLOG_DEFAULT_LANG
                     * @example en
                     */
                    lang?: string;
                };
            };
        };
        responses: {
            /** @description The updated object. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TermUpdated"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            409: components["responses"]["409.NAME_TAKEN.SLUG_TAKEN"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    deleteTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TermDeleted"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    mergeTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "into": "0198c1a2-3b4c-7d5e-8f60-718293a4b5c6",
                 *       "dry_run": true
                 *     }
                 */
                "application/json": {
                    /**
                     * @description id of the tag that remains
                     * @example 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6
                     */
                    into: string;
                    /**
                     * @description default: false; true only counts the posts
                     * @example true
                     */
                    dry_run?: boolean;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            id: string;
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            into: string;
                            merged: boolean;
                            /** @description number of posts with the merged tag, including drafts and posts in the trash */
                            posts: number;
                            /** @description number of these posts that already have the other tag */
                            already: number;
                        };
                        user_context: components["schemas"]["UserContext"];
                        meta: Record<string, unknown>;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    listAuthors: {
        parameters: {
            query?: {
                /** @description default: 1 */
                page?: number;
                /** @description default: 10; values above 100 are treated as 100 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Author"][];
                        user_context: components["schemas"]["UserContext"];
                        meta: components["schemas"]["ListPostsReplyMeta"];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            403: components["responses"]["403.CSRF_REJECTED"];
            404: components["responses"]["404.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    getAuthor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Author"];
                        user_context: components["schemas"]["UserContext"];
                        meta: components["schemas"]["GetCategoryReplyMeta"];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            403: components["responses"]["403.CSRF_REJECTED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    uploadFeaturedImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    image: string;
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            id: string;
                            featured_image: string;
                        };
                        user_context: components["schemas"]["UserContext"];
                        meta: Record<string, unknown>;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            408: components["responses"]["408.VALIDATION_ERROR"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.NOT_CONFIGURED.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    deleteFeaturedImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            id: string;
                            featured_image: string | null;
                        };
                        user_context: components["schemas"]["UserContext"];
                        meta: Record<string, unknown>;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    getSitemap: {
        parameters: {
            query?: {
                /** @description default: 1 */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the document */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                };
            };
            /** @description The document has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    listSitemapAddresses: {
        parameters: {
            query?: {
                /** @description default: 1 */
                page?: number;
                /** @description default: 10; values above 1000 are treated as 1000 */
                limit?: number;
                /**
                 * @description posts written in this language or translated into it; default: all languages
                 * @example es
                 */
                lang?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            id: string;
                            slug: string;
                            lang: string;
                            url: string;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, with milliseconds
                             */
                            updated_at: string;
                        }[];
                        user_context: components["schemas"]["UserContext"];
                        meta: components["schemas"]["ListPostsReplyMeta"];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            403: components["responses"]["403.CSRF_REJECTED"];
            404: components["responses"]["404.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    getRssFeed: {
        parameters: {
            query?: {
                /**
                 * @description posts written in this language or translated into it; default: all languages
                 * @example es
                 */
                lang?: string;
                /**
                 * @description id or slug
                 * @example engines
                 */
                category?: string;
                /**
                 * @description id or slug
                 * @example analysis
                 */
                tag?: string;
                /**
                 * @description id of the user
                 * @example 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6
                 */
                author?: string;
                /**
                 * @description post type key; default: all types
                 * @example post
                 */
                post_type?: string;
                /** @description default: 20; values above 50 are treated as 50 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the document */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/rss+xml": string;
                };
            };
            /** @description The document has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            404: components["responses"]["404.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    getAtomFeed: {
        parameters: {
            query?: {
                /**
                 * @description posts written in this language or translated into it; default: all languages
                 * @example es
                 */
                lang?: string;
                /**
                 * @description id or slug
                 * @example engines
                 */
                category?: string;
                /**
                 * @description id or slug
                 * @example analysis
                 */
                tag?: string;
                /**
                 * @description id of the user
                 * @example 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6
                 */
                author?: string;
                /**
                 * @description post type key; default: all types
                 * @example post
                 */
                post_type?: string;
                /** @description default: 20; values above 50 are treated as 50 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the document */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": string;
                };
            };
            /** @description The document has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            404: components["responses"]["404.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    getJsonFeed: {
        parameters: {
            query?: {
                /**
                 * @description posts written in this language or translated into it; default: all languages
                 * @example es
                 */
                lang?: string;
                /**
                 * @description id or slug
                 * @example engines
                 */
                category?: string;
                /**
                 * @description id or slug
                 * @example analysis
                 */
                tag?: string;
                /**
                 * @description id of the user
                 * @example 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6
                 */
                author?: string;
                /**
                 * @description post type key; default: all types
                 * @example post
                 */
                post_type?: string;
                /** @description default: 20; values above 50 are treated as 50 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the document */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/feed+json": string;
                };
            };
            /** @description The document has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            404: components["responses"]["404.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    listPreviewLinks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            id: string;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, with milliseconds
                             */
                            created_at: string;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, with milliseconds
                             */
                            expires_at: string;
                        }[];
                        user_context: components["schemas"]["UserContext"];
                        meta: Record<string, unknown>;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    createPreviewLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The created object. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            id: string;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, with milliseconds
                             */
                            created_at: string;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, with milliseconds
                             */
                            expires_at: string;
                            /** @description for GET /api/v1/posts/preview/{token} */
                            token: string;
                            /** @description null if BLOG_PAGES is false */
                            url: string | null;
                        };
                        user_context: components["schemas"]["UserContext"];
                        meta: Record<string, unknown>;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            409: components["responses"]["409.POST_ALREADY_PUBLISHED.TOO_MANY_PREVIEW_LINKS"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    revokePreviewLinks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description opaque identifier
                             */
                            id: string;
                            /** @description number of links that were valid */
                            revoked: number;
                        };
                        user_context: components["schemas"]["UserContext"];
                        meta: Record<string, unknown>;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    getPreview: {
        parameters: {
            query?: {
                /**
                 * @description language tag
                 * @example es
                 */
                lang?: string;
            };
            header?: never;
            path: {
                /**
                 * @description token of a preview link
                 * @example rst_6mB0dO2uYk3x
                 */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Post"];
                        user_context: components["schemas"]["UserContext"];
                        meta: {
                            /** @enum {boolean} */
                            cached: false;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC, with milliseconds
                             */
                            expires_at: string;
                            /** @description language of the post, if it differs from the requested one */
                            fallback_lang?: string;
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            403: components["responses"]["403.CSRF_REJECTED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            410: components["responses"]["410.PREVIEW_LINK_EXPIRED"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    listPostTypes: {
        parameters: {
            query?: {
                /** @description default: true; false includes inactive types */
                active?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PostType"][];
                        user_context: components["schemas"]["ListModulesReplyUserContext"];
                        meta: {
                            /** @description whether the response was read from the cache */
                            cached: boolean;
                            total: number;
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            403: components["responses"]["403.CSRF_REJECTED"];
            404: components["responses"]["404.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    createPostType: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type_key": "recipe",
                 *       "type_name": "Recipe"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description 2 to 40 characters of a-z, 0-9, - and _; cannot be changed
                     * @example recipe
                     */
                    type_key: string;
                    /**
                     * @description 1 to 80 characters
                     * @example Recipe
                     */
                    type_name: string;
                    /**
                     * @description at most 500 characters
                     * @example What to cook
                     */
                    description?: string;
                    /**
                     * @description at most 40 characters of a-z, 0-9 and hyphens; precedes the slug in public URLs
                     * @example
                     */
                    slug_prefix?: string;
                    /** @description at most 60 fields; replaces all of them */
                    field_schema?: {
                        [key: string]: unknown;
                    }[];
                    /**
                     * @description merged by key; at most 20 additional keys with text values
                     * @example {
                     *       "enables_seo": true
                     *     }
                     */
                    behaviors?: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description icon name
                     * @example utensils
                     */
                    icon?: string;
                    /**
                     * @description hexadecimal colour, such as #ffaa00
                     * @example #ffaa00
                     */
                    color?: string;
                    /**
                     * @description default: true
                     * @example true
                     */
                    is_active?: boolean;
                    /**
                     * @description default: the last position
                     * @example 10
                     */
                    sort_order?: number;
                };
            };
        };
        responses: {
            /** @description The created object. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatePostTypeReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.module_not_installed"];
            409: components["responses"]["409.KEY_TAKEN.SLUG_PREFIX_TAKEN"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    getPostType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example recipe */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PostType"];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            403: components["responses"]["403.CSRF_REJECTED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    updatePostType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example recipe */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "description": "What to cook"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description 1 to 80 characters
                     * @example Recipe
                     */
                    type_name?: string;
                    /**
                     * @description at most 500 characters
                     * @example What to cook
                     */
                    description?: string;
                    /**
                     * @description at most 40 characters of a-z, 0-9 and hyphens; precedes the slug in public URLs
                     * @example
                     */
                    slug_prefix?: string;
                    /** @description at most 60 fields; replaces all of them */
                    field_schema?: {
                        [key: string]: unknown;
                    }[];
                    /**
                     * @description merged by key; at most 20 additional keys with text values
                     * @example {
                     *       "enables_seo": true
                     *     }
                     */
                    behaviors?: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description icon name
                     * @example utensils
                     */
                    icon?: string;
                    /**
                     * @description hexadecimal colour, such as #ffaa00
                     * @example #ffaa00
                     */
                    color?: string;
                    /**
                     * @description default: true
                     * @example true
                     */
                    is_active?: boolean;
                    /**
                     * @description default: the last position
                     * @example 10
                     */
                    sort_order?: number;
                    /**
                     * @description `updated_at` of the version you read; the request is rejected if that is no longer the current version
                     * @example 2030-01-31T09:00:00Z
                     */
                    expected_updated_at?: string;
                };
            };
        };
        responses: {
            /** @description The updated object. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatePostTypeReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            409: components["responses"]["409.BUILT_IN.EDIT_CONFLICT.SLUG_PREFIX_TAKEN"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    deletePostType: {
        parameters: {
            query?: {
                /** @example post */
                reassign_to?: string;
            };
            header?: never;
            path: {
                /** @example recipe */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            type_key: string;
                            /** @enum {boolean} */
                            deleted: true;
                        };
                        user_context: components["schemas"]["UserContext"];
                        meta: Record<string, unknown>;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            409: components["responses"]["409.BUILT_IN.IN_USE"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    getPostTypeSchema: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example recipe */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            type_key: string;
                            type_name: string;
                            field_schema: components["schemas"]["PostTypeField"][];
                            behaviors: components["schemas"]["PostTypeBehaviors"];
                        };
                        user_context: components["schemas"]["UserContext"];
                        meta: {
                            /** @description whether the response was read from the cache */
                            cached: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            403: components["responses"]["403.CSRF_REJECTED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    listPostsOfType: {
        parameters: {
            query?: {
                /** @description default: 1 */
                page?: number;
                /** @description default: 10; values above 100 are treated as 100 */
                limit?: number;
                /**
                 * @description language tag: only posts written in this language or translated into it
                 * @example en
                 */
                lang?: string;
                /** @description default: published. Any other status returns only your own posts; for administrators, it returns the posts of all users. `deleted` returns the posts in the trash and is only for administrators */
                status?: "draft" | "pending" | "scheduled" | "published" | "deleted";
                /**
                 * @description id or slug
                 * @example engines
                 */
                category?: string;
                /**
                 * @description id or slug
                 * @example notes
                 */
                tag?: string;
                /**
                 * @description id of a user
                 * @example 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6
                 */
                author?: string;
                /** @description private returns only your own posts; for administrators, it returns the posts of all users */
                visibility?: "public" | "auth" | "private" | "password";
                /**
                 * @description 1 to 100 characters: words in the title, excerpt or body; the last word can be a prefix
                 * @example engine
                 */
                q?: string;
                /**
                 * @description ISO 8601 with time zone
                 * @example 2020-01-31T09:00:00Z
                 */
                published_after?: string;
                /**
                 * @description ISO 8601 with time zone
                 * @example 2035-01-31T09:00:00Z
                 */
                published_before?: string;
                /** @description default: published_at; views requires the ext-views component */
                sort?: "published_at" | "created_at" | "updated_at" | "title" | "views";
                /** @description default: desc; posts with equal values are ordered by id */
                order?: "desc" | "asc";
                /** @description only your own posts, in all statuses unless `status` is set */
                mine?: boolean;
                /** @description includes the body source */
                include?: "body";
                /** @description includes posts in the trash; only for administrators */
                include_deleted?: boolean;
            };
            header?: never;
            path: {
                /** @example recipe */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested list, or one page of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListPostsReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION"];
            403: components["responses"]["403.FORBIDDEN.CSRF_REJECTED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    validatePostTypeFields: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example recipe */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "fields": {
                 *         "minutes": 30
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description values by field name
                     * @example {
                     *       "minutes": 30
                     *     }
                     */
                    fields?: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description whether required fields must be present; default: true
                     * @example false
                     */
                    publish?: boolean;
                };
            };
        };
        responses: {
            /** @description The result of the check. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            valid: boolean;
                            errors: components["schemas"]["FieldProblem"][];
                        };
                        user_context: components["schemas"]["UserContext"];
                        meta: Record<string, unknown>;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    activatePostType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example recipe */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PostTypeActivity"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    deactivatePostType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example recipe */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PostTypeActivity"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            409: components["responses"]["409.BUILT_IN"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    reorderPostTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "order": [
                 *         "post",
                 *         "recipe"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description keys in the new order, or objects with type_key and sort_order
                     * @example [
                     *       "post",
                     *       "page"
                     *     ]
                     */
                    order: (string | {
                        [key: string]: unknown;
                    })[];
                };
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            type_key: string;
                            sort_order: number;
                        }[];
                        user_context: components["schemas"]["UserContext"];
                        meta: Record<string, unknown>;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.MODULE_DISABLED.UNAVAILABLE"];
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetLivenessReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetLivenessReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /** @enum {string} */
                        status: "ok";
                        /** @example 0.1.0 */
                        version: string;
                        checks: {
                            database: "ok" | "degraded";
                            migrations: "ok" | "degraded";
                            store: "ok" | "degraded";
                            queue: "ok" | "degraded";
                        };
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    getBrand: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        /**
                         * @description `APP_NAME`
                         * @example Example
                         */
                        name: string;
                        /** @description `APP_ACCENT`, adjusted to the backgrounds of both colour schemes */
                        accent: {
                            /**
                             * @description readable on white
                             * @example #17614c
                             */
                            light: string;
                            /**
                             * @description readable on near-black
                             * @example #17614c
                             */
                            dark: string;
                        };
                        logo: {
                            /**
                             * @description URL of the picture on the service
                             * @example https://id.example.com/logo?v=1
                             */
                            url: string;
                            /** @description in CSS pixels */
                            width: number;
                            /** @description in CSS pixels */
                            height: number;
                            /** @description whether the logo is wide enough to replace the name */
                            contains_name: boolean;
                        } | null;
                        support_url: string | null;
                        support_email: string | null;
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    planHubInstall: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description The planned steps. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanHubInstallReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    installHub: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @enum {boolean} */
                            installed: true;
                            created: string[];
                            existing: string[];
                        };
                        user_context: components["schemas"]["ListModulesReplyUserContext"];
                        meta: components["schemas"]["CacheMeta"];
                    };
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.REAUTH_REQUIRED.IMPERSONATED"];
            409: components["responses"]["409.INSTALL_LOCKED"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.MODULE_RUN_FAILED.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    planModuleInstall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example two-factor */
                module_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "target": "core"
                 *     }
                 */
                "application/json": components["schemas"]["InstallPlanBody"];
            };
        };
        responses: {
            /** @description The planned steps. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanHubInstallReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    installModule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example two-factor */
                module_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "target": "core"
                 *     }
                 */
                "application/json": components["schemas"]["InstallBody"];
            };
        };
        responses: {
            /** @description The request succeeded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstallModuleReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.REAUTH_REQUIRED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND"];
            409: components["responses"]["409.INSTALL_LOCKED.MODULE_DEPENDENCY_ERROR.MODULE_DRIFT"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.MODULE_RUN_FAILED.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    planModuleUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example two-factor */
                module_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["UpdatePlanBody"];
            };
        };
        responses: {
            /** @description The planned steps. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanHubInstallReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    updateModule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example two-factor */
                module_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["UpdateModuleBody"];
            };
        };
        responses: {
            /** @description The updated object. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstallModuleReply"];
                };
            };
            400: components["responses"]["400.VALIDATION_ERROR"];
            401: components["responses"]["401.INVALID_SESSION.SESSION_EXPIRED.TWO_FACTOR_REQUIRED"];
            403: components["responses"]["403.CSRF_REJECTED.FORBIDDEN.REAUTH_REQUIRED.IMPERSONATED"];
            404: components["responses"]["404.NOT_FOUND.module_not_installed"];
            409: components["responses"]["409.INSTALL_LOCKED.MODULE_DEPENDENCY_ERROR.MODULE_DRIFT"];
            413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["429.RATE_LIMITED"];
            500: components["responses"]["500.MODULE_RUN_FAILED.INTERNAL_ERROR"];
            503: components["responses"]["503.UNAVAILABLE"];
        };
    };
    receiveUserCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "user.created";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        user_id: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUserVerified: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "user.verified";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        user_id: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUserUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "user.updated";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        user_id: string;
                        /** @description names of the changed members, without values */
                        changed: string[];
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUserEmailChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "user.email_changed";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        user_id: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUserPasswordChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "user.password_changed";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        user_id: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUserRoleChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "user.role_changed";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        user_id: string;
                        /** @description a `user_type` */
                        from: string;
                        /** @description a `user_type` */
                        to: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUserBlocked: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "user.blocked";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        user_id: string;
                        /** Format: date-time */
                        until: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUserUnblocked: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "user.unblocked";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        user_id: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUserDeleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "user.deleted";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        user_id: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUserRestored: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "user.restored";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        user_id: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUserErased: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "user.erased";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        user_id: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUserExportRequested: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "user.export_requested";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        user_id: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveSessionCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "session.created";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        user_id: string;
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        session_id: string;
                        /** Format: uuid */
                        parent_id: string | null;
                        application: string | null;
                        /** @description whether a superadmin acts as the user */
                        impersonated: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveSessionEnded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "session.ended";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        user_id: string;
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        session_id: string;
                        /** @example logout */
                        reason: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveIdentityLinked: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "identity.linked";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        user_id: string;
                        /** @description an identity provider, such as `google` */
                        provider: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveIdentityUnlinked: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "identity.unlinked";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        user_id: string;
                        /** @description an identity provider, such as `google` */
                        provider: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveModuleInstalled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "module.installed";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        module_id: string;
                        components: string[];
                        runtime_scope: string;
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        run_id: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveModuleUpgraded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "module.upgraded";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        module_id: string;
                        components: string[];
                        runtime_scope: string;
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        run_id: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveModuleRepaired: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "module.repaired";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        module_id: string;
                        components: string[];
                        runtime_scope: string;
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        run_id: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveWebhookTest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "webhook.test";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        webhook_id: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveFactorAdded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "factor.added";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        user_id: string;
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        factor_id: string;
                        /** @description `email`, `sms`, `totp` or `passkey` */
                        method: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveFactorRemoved: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "factor.removed";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        user_id: string;
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        factor_id: string;
                        /** @description `email`, `sms`, `totp` or `passkey` */
                        method: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUserPrivacyChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "user.privacy_changed";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        user_id: string;
                        /** @description names of the changed members, without values */
                        changed: string[];
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUserDeletionRequested: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "user.deletion_requested";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        user_id: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC, with milliseconds
                         */
                        scheduled_for: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUserDeletionCancelled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "user.deletion_cancelled";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        user_id: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC, with milliseconds
                         */
                        scheduled_for: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUserOnboarded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "user.onboarded";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        user_id: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePostCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "post.created";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        post_id: string;
                        slug: string;
                        lang: string;
                        /**
                         * @description the status after the change
                         * @example published
                         */
                        status: string;
                        /** @example post */
                        post_type: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePostUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "post.updated";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        post_id: string;
                        slug: string;
                        lang: string;
                        /**
                         * @description the status after the change
                         * @example published
                         */
                        status: string;
                        /** @example post */
                        post_type: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePostPublished: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "post.published";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        post_id: string;
                        slug: string;
                        lang: string;
                        /**
                         * @description the status after the change
                         * @example published
                         */
                        status: string;
                        /** @example post */
                        post_type: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePostPending: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "post.pending";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        post_id: string;
                        slug: string;
                        lang: string;
                        /**
                         * @description the status after the change
                         * @example published
                         */
                        status: string;
                        /** @example post */
                        post_type: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePostScheduled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "post.scheduled";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        post_id: string;
                        slug: string;
                        lang: string;
                        /**
                         * @description the status after the change
                         * @example published
                         */
                        status: string;
                        /** @example post */
                        post_type: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePostUnpublished: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "post.unpublished";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        post_id: string;
                        slug: string;
                        lang: string;
                        /**
                         * @description the status after the change
                         * @example published
                         */
                        status: string;
                        /** @example post */
                        post_type: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePostDeleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "post.deleted";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        post_id: string;
                        slug: string;
                        lang: string;
                        /**
                         * @description the status after the change
                         * @example published
                         */
                        status: string;
                        /** @example post */
                        post_type: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePostRestored: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "post.restored";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        post_id: string;
                        slug: string;
                        lang: string;
                        /**
                         * @description the status after the change
                         * @example published
                         */
                        status: string;
                        /** @example post */
                        post_type: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveTranslationSaved: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "translation.saved";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        post_id: string;
                        lang: string;
                        /** @description true for a new translation */
                        created: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveTranslationDeleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "translation.deleted";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        post_id: string;
                        lang: string;
                        /** @description true for a new translation */
                        created: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveCommentCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "comment.created";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        comment_id: string;
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        post_id: string;
                        /**
                         * @description the status after the change
                         * @example pending
                         * @example approved
                         */
                        status: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveCommentModerated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "comment.moderated";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        comment_id: string;
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        post_id: string;
                        /**
                         * @description the status after the change
                         * @example pending
                         * @example approved
                         */
                        status: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveCommentDeleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "comment.deleted";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        comment_id: string;
                        /**
                         * Format: uuid
                         * @description opaque identifier
                         */
                        post_id: string;
                        /**
                         * @description the status after the change
                         * @example pending
                         * @example approved
                         */
                        status: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePostTypeCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "post_type.created";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /** @example recipe */
                        type_key: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePostTypeUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "post_type.updated";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /** @example recipe */
                        type_key: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePostTypeDeleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description opaque identifier
                     */
                    id: string;
                    /** @constant */
                    type: "post_type.deleted";
                    /** @constant */
                    version: 1;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, with milliseconds
                     */
                    occurred_at: string;
                    data: {
                        /** @example recipe */
                        type_key: string;
                    };
                };
            };
        };
        responses: {
            /** @description The event was accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
