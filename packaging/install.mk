# SPDX-License-Identifier: MIT
# Installs the files below $(prefix) or, for packages, below $(DESTDIR)$(prefix). Recipes read
# DESTDIR from the environment, so that the shell does not interpret quotes in the path.
export DESTDIR

# Directory of the plugin for perf and trace-cmd. If libtraceevent is newer than 1.8.4 and its
# plugin directory is below this prefix, the plugin is installed there. With older versions of
# libtraceevent, this plugin makes other plugins crash if they unregister a handler that they have
# not registered. Therefore, it is installed in a separate directory, which the user must select.
plugindir = $(shell if pkg-config --atleast-version=1.8.5 libtraceevent && \
	[ "$$(pkg-config --variable=prefix libtraceevent)" = '$(prefix)' ]; then \
	echo "$$(pkg-config --variable=libdir libtraceevent)/traceevent/plugins"; else \
	echo '$(prefix)/lib/user_events/plugins'; fi)

# Manual pages of section 3, generated from the comments in the headers. Their date is the
# modification time of the header, which a tarball preserves.
MAN3 = umask 022; awk -f packaging/man3.awk -v version='$(VERSION)' \
	-v date=$$(date -u $(if $(SOURCE_DATE_EPOCH),-d @$(SOURCE_DATE_EPOCH),-r include/user_events.h) +%F)
man:
	rm -rf '$B/man'
	mkdir -p '$B/man/man3'
	$(MAN3) -v out='$B/man/man3' $(TOP_HEADERS)

DTRACE = tools/dtrace/ue-dtrace
install:
	install -d "$$DESTDIR"'$(includedir)' "$$DESTDIR"'$(datadir)/pkgconfig' \
		"$$DESTDIR"'$(datadir)/cmake/user_events' "$$DESTDIR"'$(datadir)/man/man3'
	$(MAN3) -v out="$$DESTDIR"'$(datadir)/man/man3' $(TOP_HEADERS)
	install -m 644 $(TOP_HEADERS) "$$DESTDIR"'$(includedir)'
	install -D -m 644 LICENSE "$$DESTDIR"'$(datadir)/licenses/user_events/LICENSE'
	for f in $(KERNEL_HEADERS:include/%=%) $(COMPAT_HEADERS:include/%=%); do install -D -m 644 "include/$$f" \
		"$${DESTDIR}$(includedir)/user_events/$$f" || exit; done
	prefix=$$(realpath -m --relative-to='$(datadir)/pkgconfig' '$(prefix)') && \
	for f in user_events user_events-kernel user_events-compat; do \
		sed -e "s|@prefix@|$$prefix|" -e 's|@includedir@|$(includedir)|' \
			-e 's|=$(prefix)/|=$${prefix}/|' -e 's|@VERSION@|$(VERSION)|' packaging/$$f.pc.in \
			>"$${DESTDIR}$(datadir)/pkgconfig/$$f.pc" || exit; \
	done
	include=$$(realpath -m --relative-to='$(datadir)/cmake/user_events' '$(includedir)') && \
	for f in user_events-config user_events-config-version; do \
		sed -e "s|@include@|$$include|g" -e 's|@VERSION@|$(VERSION)|' \
			packaging/$$f.cmake.in \
			>"$${DESTDIR}$(datadir)/cmake/user_events/$$f.cmake" || exit; \
	done
	install -D -m 755 $(DTRACE) "$$DESTDIR"'$(prefix)/bin/ue-dtrace'
	sed -i "s|/../include|/$$(realpath -m --relative-to='$(prefix)/bin' '$(includedir)')|" \
		"$$DESTDIR"'$(prefix)/bin/ue-dtrace'
	install -d "$$DESTDIR"'$(datadir)/man/man1'
	{ printf '%s\n' '.TH UE-DTRACE 1' .SH NAME 'ue\-dtrace \- turn DTrace probes into events of user_events.h' \
		.SH DESCRIPTION .nf && $(DTRACE) --help | sed 's/-/\\-/g'; } \
		>"$$DESTDIR"'$(datadir)/man/man1/ue-dtrace.1'
	@echo "Installed the headers in $$DESTDIR"'$(includedir); next: man UE_TRACE'
# Services that write events to a file, the journal or Kafka. The installation does not enable them.
UNITS = $(filter packaging/systemd/uetrace-%.service packaging/systemd/%.timer,$(wildcard packaging/systemd/*))
LOGROTATE = packaging/systemd/uetrace-logrotate.conf
install-tools: tools
	install -D -m 755 $B/uetrace "$$DESTDIR"'$(prefix)/bin/uetrace'
	install -D -m 644 $(UETRACE_MAN) "$$DESTDIR"'$(datadir)/man/man1/uetrace.1'
	install -D -m 644 $(UETRACE_COMPLETION) \
		"$$DESTDIR"'$(datadir)/bash-completion/completions/uetrace'
	install -D -m 644 $(PLUGIN) "$$DESTDIR"'$(plugindir)/$(notdir $(PLUGIN))'
	install -d "$$DESTDIR"'$(prefix)/lib/systemd/system'
	for f in $(UNITS); do sed -e 's|/usr/bin/|$(prefix)/bin/|' -e 's|/usr/share/|$(datadir)/|' "$$f" \
		>"$${DESTDIR}$(prefix)/lib/systemd/system/$${f##*/}" || exit; done
	install -D -m 644 $(LOGROTATE) "$$DESTDIR"'$(datadir)/uetrace/logrotate.conf'
	@echo "Installed $$DESTDIR"'$(prefix)/bin/uetrace and the plugin'
	@case '$(plugindir)' in */user_events/plugins) echo 'perf and trace-cmd print events decoded' \
		'after: export TRACEEVENT_PLUGIN_DIR=$(plugindir)' ;; esac
uninstall: man
	cd '$B/man/man3' && for f in *; do rm -f "$${DESTDIR}$(datadir)/man/man3/$$f"; done
	rm -f $(TOP_HEADERS:include/%="$$DESTDIR"'$(includedir)/%') "$$DESTDIR"'$(prefix)/bin/uetrace' \
		"$$DESTDIR"'$(datadir)/pkgconfig/user_events.pc' \
		"$$DESTDIR"'$(datadir)/pkgconfig/user_events-kernel.pc' \
		"$$DESTDIR"'$(datadir)/pkgconfig/user_events-compat.pc' \
		"$$DESTDIR"'$(datadir)/man/man1/uetrace.1' "$$DESTDIR"'$(datadir)/man/man1/ue-dtrace.1' \
		"$$DESTDIR"'$(prefix)/bin/ue-dtrace' \
		"$$DESTDIR"'$(datadir)/bash-completion/completions/uetrace' \
		"$$DESTDIR"'$(plugindir)/$(notdir $(PLUGIN))' \
		$(UNITS:packaging/systemd/%="$$DESTDIR"'$(prefix)/lib/systemd/system/%')
	rm -rf "$$DESTDIR"'$(datadir)/uetrace' "$$DESTDIR"'$(datadir)/cmake/user_events' "$$DESTDIR"'$(datadir)/licenses/user_events' \
		"$$DESTDIR"'$(includedir)/user_events' \
		"$$DESTDIR"'$(prefix)/lib/user_events'

.PHONY: man install install-tools uninstall
